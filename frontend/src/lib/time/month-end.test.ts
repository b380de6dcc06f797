import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { nextMonthStart } from './month-end'

test.each([
  ['2026-11-21T10:00:00Z', 'Europe/Paris', '2026-11-30T23:00:00Z'],
  ['2026-03-15T10:00:00Z', 'Europe/Paris', '2026-03-31T22:00:00Z'],
  ['2026-12-31T23:30:00Z', 'Europe/Paris', '2027-01-31T23:00:00Z'],
  ['2026-12-31T22:59:59Z', 'Europe/Paris', '2026-12-31T23:00:00Z'],
  ['2026-02-01T00:00:00Z', 'UTC', '2026-03-01T00:00:00Z'],
  ['2026-07-31T23:00:00Z', 'America/New_York', '2026-08-01T04:00:00Z'],
])('the month of %s in %s ends %s', (now, zone, end) => {
  expect(new Date(nextMonthStart(Date.parse(now), zone)).toISOString()).toBe(new Date(end).toISOString())
})

it('accepts the announced end only for this month', () => {
  const [now, end] = [Date.parse('2026-11-21T10:00:00Z'), Date.parse('2026-11-30T23:00:00Z')]
  const announced = Date.parse('2026-11-30T22:59:00Z')
  expect(nextMonthStart(now, 'Europe/Paris', announced)).toBe(announced)
  expect(nextMonthStart(now, 'Europe/Paris', Date.parse('2026-10-31T23:00:00Z'))).toBe(end)
  expect(nextMonthStart(now, 'Europe/Paris', Date.parse('2026-12-31T23:00:00Z'))).toBe(end)
})

it('always lies in the future, within a month', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
      fc.constantFrom('Europe/Paris', 'UTC', 'America/Sao_Paulo', 'Asia/Kolkata'),
      (now, zone) => {
        const ahead = nextMonthStart(now.getTime(), zone) - now.getTime()
        expect(ahead).toBeGreaterThan(0)
        expect(ahead).toBeLessThanOrEqual((31 * 24 + 1) * 3_600_000)
      },
    ),
  )
})
