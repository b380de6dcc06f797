import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { observeByHand } from '@/testing/intersection-observer'
import { renderPage } from '@/testing/render-page'
import { Near } from './near'

afterEach(() => vi.unstubAllGlobals())

test('content renders only once it is near', async () => {
  const comeNear = observeByHand()
  await renderPage(
    <Near height="8rem">
      <p>far below</p>
    </Near>,
  )
  expect(screen.queryByText('far below')).toBeNull()
  comeNear()
  expect(screen.getByText('far below')).toBeTruthy()
})
