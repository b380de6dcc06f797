import { expect, it } from 'vitest'
import { momentOfClock, siteClock } from './site-moment'

const PARIS = 'Europe/Paris'

it.each([
  ['2026-01-15T09:30', '2026-01-15T08:30:00.000Z'],
  ['2026-07-15T09:30', '2026-07-15T07:30:00.000Z'],
  // The day on which daylight saving time begins, and the hour that occurs twice when it ends.
  ['2026-03-29T03:15', '2026-03-29T01:15:00.000Z'],
  ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
])('the clock shows %s at %s', (clock, moment) => {
  expect(momentOfClock(clock, PARIS)).toBe(moment)
  expect(siteClock(moment, PARIS)).toBe(clock)
})

it('reads a skipped hour with the earlier offset', () => {
  expect(momentOfClock('2026-03-29T02:30', PARIS)).toBe('2026-03-29T01:30:00.000Z')
})

it.each(['', '2026-02-30T10:00', '2026-01-15', 'tomorrow'])('takes %j for no moment', (clock) => {
  expect(momentOfClock(clock, PARIS)).toBeNull()
})

it('shows nothing for what is no moment', () => {
  expect(siteClock('', PARIS)).toBe('')
})
