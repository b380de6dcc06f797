import { expect, it } from 'vitest'
import { endOf, rangeOf } from './votes'

it.each([
  ['', '', '2026-11-18', '2026-11-24'],
  ['2026-11-10', '', '2026-11-10', '2026-11-24'],
  ['2026-11-10', '2026-11-12', '2026-11-10', '2026-11-12'],
  ['', '2026-11-12', '2026-11-06', '2026-11-12'],
  // More days than allowed, the wrong order, and an invalid day.
  ['2026-01-01', '2026-11-12', '2026-10-13', '2026-11-12'],
  ['2026-11-14', '2026-11-12', '2026-11-12', '2026-11-12'],
  ['yesterday', '2026-02-31', '2026-11-18', '2026-11-24'],
])('looks at the days from %j to %j', (from, to, first, last) => {
  expect(rangeOf(from, to, '2026-11-24')).toMatchObject({ first, last })
})

it('range uses midnight in the site’s time zone', () => {
  const { from, until } = rangeOf('2026-11-10', '2026-11-10', '2026-11-24')
  expect([from, until]).toEqual(['2026-11-09T23:00:00.000Z', '2026-11-10T23:00:00.000Z'])
})

it('ban ends after given days or never', () => {
  expect(endOf(null, 0)).toBeNull()
  expect(endOf(2, 0)).toBe('1970-01-03T00:00:00.000Z')
})
