import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { CrashBoundary, SectionBoundary } from './crash-boundary'

const user = userEvent.setup()
const report = vi.fn<(message: unknown) => void>()
let broken = true

function Fragile() {
  if (broken) throw new Error('crashed on purpose')
  return <p>whole</p>
}

function Pages() {
  const [page, setPage] = useState('/a')
  return (
    <>
      <button type="button" onClick={() => setPage('/b')}>
        next
      </button>
      <CrashBoundary resetOn={page} fallback={() => <p>crashed at {page}</p>}>
        {page === '/b' ? <Fragile /> : <p>page a</p>}
      </CrashBoundary>
    </>
  )
}

beforeEach(() => {
  broken = true
  report.mockReset()
  vi.spyOn(console, 'error').mockImplementation(report)
})
afterEach(() => vi.restoreAllMocks())

it('contains a crash to its section with retry', async () => {
  await renderPage(
    <>
      <p>the rest</p>
      <SectionBoundary>
        <Fragile />
      </SectionBoundary>
    </>,
  )
  expect(screen.getByText('the rest')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('Impossible d’afficher cette partie.')
  broken = false
  await user.click(screen.getByRole('button', { name: 'Réessayer' }))
  expect(screen.getByText('whole')).toBeTruthy()
})

it('reports a crash once when reset keys change', async () => {
  await renderPage(<Pages />)
  await user.click(screen.getByRole('button', { name: 'next' }))
  expect(screen.getByText('crashed at /b')).toBeTruthy()
  expect(report).toHaveBeenCalledTimes(1)
})
