import * as v from 'valibot'
import { expect, it } from 'vitest'
import { NO_BOOKING, bookingSchema, daysLeft, takenAt } from './booking'

const WORDS = { position: 'P', days: 'D', taken: 'T', picture: 'I', consent: 'C' }
const TAKEN = [
  { position: 1, from: '2026-12-03', to: '2026-12-04' },
  { position: 2, from: '2026-12-01', to: '2026-12-31' },
]
const GOOD = {
  ...NO_BOOKING,
  position: '1',
  days: { from: '2026-12-01', to: '2026-12-02' },
  pictureAddress: 'https://example.org/a.png',
  consent: true,
}

function problemsOf(values: object): Record<string, string> {
  const { issues = [] } = v.safeParse(bookingSchema(WORDS, TAKEN), values)
  return Object.fromEntries(issues.map((issue) => [String(issue.path?.[0]?.key), issue.message]))
}

it('names all that is missing at once', () => {
  expect(problemsOf(NO_BOOKING)).toEqual({ position: 'P', days: 'D', picture: 'I', consent: 'C' })
  expect(problemsOf(GOOD)).toEqual({})
})

it('takes one picture, from wherever it is', () => {
  expect(problemsOf({ ...GOOD, pictureAddress: '', picture: '/storage/a.webp' })).toEqual({})
  expect(problemsOf({ ...GOOD, pictureAddress: 'ftp://example.org/a.png' })).toHaveProperty('pictureAddress')
})

it('refuses days taken at that position', () => {
  expect(problemsOf({ ...GOOD, days: { from: '2026-12-02', to: '2026-12-03' } })).toEqual({ days: 'T' })
  expect(problemsOf({ ...GOOD, position: '2' })).toEqual({ days: 'T' })
  expect(problemsOf({ ...GOOD, position: '3' })).toEqual({})
})

it.each([
  [
    ['2026-12-01', '2026-12-06'],
    [
      ['2026-12-01', '2026-12-02'],
      ['2026-12-05', '2026-12-06'],
    ],
  ],
  [['2026-12-03', '2026-12-04'], []],
  [['2026-12-04', '2026-12-05'], [['2026-12-05', '2026-12-05']]],
  [['2026-12-08', '2026-12-09'], [['2026-12-08', '2026-12-09']]],
])('of %j there is left %j', ([from, to], left) => {
  const days = { from: from!, to: to! }
  expect(daysLeft(days, takenAt(TAKEN, '1')).map((span) => [span.from, span.to])).toEqual(left)
})
