import { expect, it } from 'vitest'
import { columnsOf } from './tiles'

it.each([
  ['2026-11-23', '2026-11-25', 1, 4],
  ['2026-11-01', '2026-11-23', 1, 2],
  ['2026-12-01', '2027-01-30', 9, 29],
])('lays %s to %s from column %i to %i', (from, to, start, end) => {
  expect(columnsOf({ from, to }, '2026-11-23', 28)).toEqual({ start, end })
})
