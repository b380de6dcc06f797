import * as v from 'valibot'
import { expect, it } from 'vitest'
import { contestSchema, stateOf } from './contest'

const CONTEST = { start_date: '2026-11-01T00:00:00Z', end_date: '2026-11-10T00:00:00Z', is_finished: false }

it.each([
  ['2026-10-31T23:59:59Z', 'upcoming'],
  ['2026-11-01T00:00:00Z', 'live'],
  ['2026-11-10T00:00:00Z', 'due'],
])('at %s it is %s', (now, state) => {
  expect(stateOf(CONTEST, Date.parse(now))).toBe(state)
  expect(stateOf({ ...CONTEST, is_finished: true }, Date.parse(now))).toBe('ended')
})

it('does not end before it begins', () => {
  const draft = {
    name: { fr: 'Cup', en: '', es: '' },
    description: { fr: '', en: '', es: '' },
    start: CONTEST.end_date,
    end: CONTEST.start_date,
    target: 10,
    winners: 3,
    days: 7,
    games: [],
    active: true,
  }
  const schema = contestSchema('too early')
  expect(v.safeParse(schema, draft).issues?.map(({ message }) => message)).toEqual(['too early'])
  expect(v.safeParse(schema, { ...draft, end: '2026-12-01T00:00:00Z' }).success).toBe(true)
})

it('is named in French at least', () => {
  const { entries } = contestSchema('too early').pipe[0]
  expect(v.safeParse(entries.name, { fr: 'La Ruée', en: '', es: '' }).success).toBe(true)
  expect(v.safeParse(entries.name, { fr: ' ', en: 'The Rush', es: 'La Carrera' }).issues?.[0]?.path?.[0]?.key).toBe(
    'fr',
  )
})
