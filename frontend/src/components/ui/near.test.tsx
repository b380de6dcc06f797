import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { Near } from './near'

afterEach(() => vi.unstubAllGlobals())

test('what is not near yet keeps its room and is drawn when it is', async () => {
  let comeNear = (): void => {}
  class Observer {
    constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
      comeNear = () => tell([{ isIntersecting: true }])
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  await renderPage(
    <Near height="8rem">
      <p>far below</p>
    </Near>,
  )
  expect(screen.queryByText('far below')).toBeNull()
  act(() => comeNear())
  expect(screen.getByText('far below')).toBeTruthy()
})
