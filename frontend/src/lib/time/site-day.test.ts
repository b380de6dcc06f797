import { expect, it } from 'vitest'
import { daysAfter, daysIn, siteToday } from './site-day'

it.each([
  ['2026-03-01T22:59:59Z', 'Europe/Paris', '2026-03-01'],
  ['2026-03-01T23:00:00Z', 'Europe/Paris', '2026-03-02'],
  ['2026-07-01T22:00:00Z', 'Europe/Paris', '2026-07-02'],
  ['2026-03-01T03:00:00Z', 'America/New_York', '2026-02-28'],
])('%s in %s is %s', (instant, zone, day) => {
  expect(siteToday(Date.parse(instant), zone)).toBe(day)
})

it('counts days across month ends and DST changes', () => {
  expect(daysAfter('2026-02-27', 2)).toBe('2026-03-01')
  expect(daysAfter('2026-03-30', -2)).toBe('2026-03-28')
  expect(daysIn('2026-03-28', '2026-03-30')).toBe(3)
  expect(daysIn('2026-03-28', '2026-03-28')).toBe(1)
})
