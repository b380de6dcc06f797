import { expect, it } from 'vitest'
import { mayWithdraw, refundReasonOf, paymentStatusOf, spotStatusOf } from './payment-status'

const NOW = Date.parse('2026-11-23T12:00:00Z')

it.each([
  ['open', '2026-11-23T12:10:00Z', 'open'],
  ['open', '2026-11-23T11:50:00Z', 'unsure'],
  ['paid', '2026-01-01T00:00:00Z', 'paid'],
  ['to_refund', '2026-01-01T00:00:00Z', 'toRefund'],
])('payment %s due %s has status %s', (state, expires_at, standing) => {
  expect(paymentStatusOf({ state, expires_at }, NOW)).toBe(standing)
})

it('allows withdrawal of paid payments within the period', () => {
  const payment = { state: 'paid', paid_at: '2026-11-10T12:00:01Z', amount_cents: 1200, refunded_cents: 0 }
  expect(mayWithdraw(payment, 14, NOW)).toBe(true)
  expect(mayWithdraw({ ...payment, paid_at: '2026-11-09T12:00:00Z' }, 14, NOW)).toBe(false)
  expect(mayWithdraw({ ...payment, refunded_cents: 1200 }, 14, NOW)).toBe(false)
  expect(mayWithdraw({ ...payment, state: 'to_refund' }, 14, NOW)).toBe(false)
  expect(mayWithdraw({ ...payment, state: 'open', paid_at: null }, 14, NOW)).toBe(false)
})

it('ends a spot after its last day', () => {
  const spot = { status: 'active', end_date: '2026-11-22' }
  expect(spotStatusOf(spot, '2026-11-22')).toBe('active')
  expect(spotStatusOf(spot, '2026-11-23')).toBe('ended')
  expect(spotStatusOf({ status: 'cancelled', end_date: '2026-11-30' }, '2026-11-23')).toBeNull()
})

it('returns null for unknown refund reasons', () => {
  expect(refundReasonOf('days_taken')).toBe('daysTaken')
  expect(refundReasonOf('else')).toBeNull()
  expect(refundReasonOf(null)).toBeNull()
})
