import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayAt, linePath, namedDays, niceTicks, scaleOf } from './geometry'
import { countsOn, daysFrom, firstDayOf } from './ranges'

it.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 50, 100]],
  [1234, [0, 500, 1000, 1500]],
])('names round figures up to %d', (most, ticks) => {
  expect(niceTicks(most)).toEqual(ticks)
})

it('ticks cover the maximum in few steps', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), (most) => {
      const ticks = niceTicks(most)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThan(7)
    }),
  )
})

it('pointer position maps to its day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(399), fc.boolean(), (days, expected, slots) => {
      const index = expected % days
      expect(dayAt(scaleOf(days, 1, slots).x(index) / 100, days, slots)).toBe(days === 1 ? 0 : index)
    }),
  )
})

it('leaves a gap where nothing is known', () => {
  expect(linePath([0, 10, null, 5], scaleOf(4, 10, false))).toBe('M0 100L33.33 0M100 50')
})

it('axis labels the last day and spaced others', () => {
  expect(namedDays(7, 7)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(namedDays(30, 7)).toEqual([4, 9, 14, 19, 24, 29])
  expect(namedDays(1, 7)).toEqual([0])
})

it('day range counts back from today', () => {
  expect(firstDayOf('7', '2026-03-03')).toBe('2026-02-25')
  expect(firstDayOf('all', '2026-03-03')).toBeNull()
  const days = daysFrom('2026-02-27', '2026-03-02')
  expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  const rows = [{ day: '2026-02-28', votes: 4 }]
  expect(
    countsOn(
      days,
      rows,
      ({ day }) => day,
      ({ votes }) => votes,
    ),
  ).toEqual([0, 4, 0, 0])
})
