import { expect, it } from 'vitest'
import { columnsOf } from './tiles'

it.each([
  ['2026-11-23', '2026-11-25', 1, 4],
  ['2026-11-01', '2026-11-23', 1, 2],
  ['2026-12-01', '2027-01-30', 9, 29],
])('days %s to %s span columns %i–%i', (from, to, start, end) => {
  expect(columnsOf({ from, to }, '2026-11-23', 28)).toEqual({ start, end })
})
