import { expect, it } from 'vitest'
import { standingOf } from './spots'

it('calls a booking over on the day after its last', () => {
  const booking = (status: string) => ({ status, end_date: '2026-11-21' })
  expect(standingOf(booking('active'), '2026-11-21')).toBe('active')
  expect(standingOf(booking('active'), '2026-11-22')).toBe('expired')
  expect(standingOf(booking('suspended'), '2026-11-22')).toBe('expired')
})

it('leaves what was never booked or taken back as it is', () => {
  for (const status of ['pending', 'cancelled', 'expired'])
    expect(standingOf({ status, end_date: '2020-01-01' }, '2026-11-22')).toBe(status)
})
