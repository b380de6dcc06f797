import { expect, it } from 'vitest'
import { endAfter, unitPriceOf, wholeDays } from './days'

it.each([
  [30, 30],
  [1, 1],
  [0, 1],
  [-5, 1],
  [2.5, 1],
  [null, 1],
  [Number.NaN, 1],
  [Infinity, 1],
  [9999, 3650],
])('%s days are %s', (typed, days) => {
  expect(wholeDays(typed)).toBe(days)
})

it('uses the price of the highest reached tier', () => {
  const steps = [
    { min_days: 30, unit_price_cents: 40 },
    { min_days: 1, unit_price_cents: 50 },
    { min_days: 90, unit_price_cents: 35 },
  ]
  expect([1, 29, 30, 89, 90].map((days) => unitPriceOf(steps, days))).toEqual([50, 50, 40, 40, 35])
  expect(unitPriceOf([{ min_days: 7, unit_price_cents: 40 }], 6)).toBeUndefined()
})

it('extends from the current end or now', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  expect(endAfter(null, 7, now)).toBe('2026-11-30T12:00:00.000Z')
  expect(endAfter('2026-11-20T12:00:00Z', 7, now)).toBe('2026-11-30T12:00:00.000Z')
  expect(endAfter('2026-12-01T00:00:00Z', 7, now)).toBe('2026-12-08T00:00:00.000Z')
})
