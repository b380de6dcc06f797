import { expect, it } from 'vitest'
import { eventState } from './state'

const NOW = Date.parse('2026-11-21T12:00:00Z')

it.each([
  ['upcoming', '2026-11-22', '2026-11-23'],
  ['live', '2026-11-20', '2026-11-23'],
  ['ended', '2026-11-19', '2026-11-20'],
])('an event is %s from %s to %s', (state, start_date, end_date) => {
  expect(eventState({ start_date, end_date }, NOW)).toBe(state)
})
