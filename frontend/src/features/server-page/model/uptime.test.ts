import { expect, it } from 'vitest'
import type { StatusDay } from '../api/status-days'
import { levelOf, uptimeOf } from './uptime'

const DAYS = ['2026-11-21', '2026-11-22', '2026-11-23']

function row(day: string, more: Partial<StatusDay> = {}): StatusDay {
  const hours: (number | null)[] = Array.from({ length: 24 }, () => null)
  // The generated type has no arrays with null elements.
  const found = { day, method: 'minecraft', watched_seconds: 1000, up_seconds: 900, told: 0, players_sum: 0 }
  return { ...found, peak_players: null, hours: hours as number[], ...more }
}

it('weighs days by the time they were watched', () => {
  const found = uptimeOf(DAYS, [row('2026-11-21', { watched_seconds: 3000, up_seconds: 3000 }), row('2026-11-23')])
  expect(found?.share).toBe(3900 / 4000)
  expect(found?.shares).toEqual([1, null, 0.9])
})

it('averages players by day and hour', () => {
  const hours = (eight: number | null) =>
    Array.from({ length: 24 }, (_, hour) => (hour === 8 ? eight : null)) as number[]
  const found = uptimeOf(DAYS, [
    row('2026-11-21', { told: 4, players_sum: 30, peak_players: 12, hours: hours(12) }),
    row('2026-11-22', { told: 1, players_sum: 0, peak_players: 0, hours: hours(0) }),
    row('2026-11-23'),
  ])
  expect(found?.peaks).toEqual([12, 0, null])
  expect(found?.means).toEqual([7.5, 0, null])
  expect(found?.hours[8]).toBe(6)
  expect(found?.hours.filter((hour) => hour !== null)).toHaveLength(1)
})

it('ignores port checks and missing measurements', () => {
  expect(uptimeOf(DAYS, [])).toBeNull()
  expect(uptimeOf(DAYS, [row('2026-11-22', { method: 'tcp' })])).toBeNull()
  expect(uptimeOf(DAYS, [row('2026-11-22'), row('2026-11-23', { method: 'tcp' })])?.shares).toEqual([null, 0.9, null])
  expect(uptimeOf(DAYS, [row('2026-11-22', { watched_seconds: 0, up_seconds: 0 })])?.share).toBeNull()
})

it('classifies days by their uptime', () => {
  expect([null, 1, 0.99, 0.95, 0.9, 0.89, 0].map(levelOf)).toEqual([
    'none',
    'full',
    'full',
    'most',
    'most',
    'some',
    'some',
  ])
})
