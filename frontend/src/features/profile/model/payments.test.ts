import { expect, it } from 'vitest'
import { standingOfPayment } from './payments'

const NOW = Date.parse('2026-11-22T12:00:00Z')

it.each([
  ['pending', '2026-11-22T11:00:00Z', 'pending'],
  ['pending', '2026-11-21T11:00:00Z', 'abandoned'],
  ['paid', '2026-01-01T00:00:00Z', 'paid'],
])('a %s payment begun at %s is %s', (status, created_at, standing) => {
  expect(standingOfPayment({ status, created_at }, NOW)).toBe(standing)
})
