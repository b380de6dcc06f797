import { expect, it } from 'vitest'
import { standingOf } from './spots'

it('calls a booking over on the day after its last', () => {
  const booking = (status: string) => ({ status, end_date: '2026-11-21', payment: 'paid' })
  expect(standingOf(booking('active'), '2026-11-21')).toBe('active')
  expect(standingOf(booking('active'), '2026-11-22')).toBe('expired')
  expect(standingOf(booking('suspended'), '2026-11-22')).toBe('expired')
})

it('leaves what was never booked or taken back as it is', () => {
  for (const status of ['pending', 'cancelled'])
    expect(standingOf({ status, end_date: '2020-01-01', payment: 'pending' }, '2026-11-22')).toBe(status)
})

it('tells what ended without being paid, and what was paid back, from what ran to its end', () => {
  const booking = (payment: string) => ({ status: 'expired', end_date: '2026-11-30', payment })
  expect(standingOf(booking('pending'), '2026-11-22')).toBe('unpaid')
  expect(standingOf(booking('refunded'), '2026-11-22')).toBe('refunded')
  expect(standingOf(booking('paid'), '2026-11-22')).toBe('expired')
})
