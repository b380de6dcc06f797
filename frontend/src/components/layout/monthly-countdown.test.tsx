import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { MonthlyCountdown } from './monthly-countdown'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('counts down to month end in site time', async () => {
  vi.setSystemTime('2026-11-21T04:59:58Z')
  await renderPage(<MonthlyCountdown variant="full" />)
  const timer = screen.getByRole('timer')
  expect(timer.textContent).toBe('Remise à zéro des votes09jours18heures00minute02secondes')
  act(() => vi.advanceTimersByTime(2000))
  expect(timer.textContent).toBe('Remise à zéro des votes09jours18heures00minute00seconde')
})

it('header shows a short countdown with full label', async () => {
  vi.setSystemTime('2026-11-21T05:00:00Z')
  await renderPage(<MonthlyCountdown variant="mini" />, { language: 'es' })
  expect(screen.getByText('9 d 18 h')).toBeTruthy()
  expect(screen.getByText(/Los votos se reinician en 9 días/)).toBeTruthy()
})

it('turns red on the last day', async () => {
  vi.setSystemTime('2026-11-30T20:30:00Z')
  await renderPage(<MonthlyCountdown variant="compact" />, { language: 'en' })
  expect(screen.getByText('2h 30m').parentElement?.className).toContain('last')
})
