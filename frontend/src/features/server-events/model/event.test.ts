import * as v from 'valibot'
import { expect, it } from 'vitest'
import { eventSchema, grouped } from './event'

const schema = eventSchema('en', { title: 'a title', end: 'later' })
const EVENT = {
  type: 'tournament',
  title: { fr: '', en: ' Cup ', es: '' },
  start: '2026-11-22T18:00:00.000Z',
  end: '2026-11-22T20:00:00.000Z',
  description: { fr: '', en: '', es: '' },
}

/** The fields with problems, and the messages. */
function wrong(event: object): string[] {
  const { issues = [] } = v.safeParse(schema, { ...EVENT, ...event })
  return issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`)
}

it('requires a type, a title and valid dates', () => {
  expect(v.parse(schema, EVENT).title.en).toBe('Cup')
  expect(wrong({ title: { fr: ' ', en: '', es: '' } })).toEqual(['title.en a title'])
  expect(wrong({ title: { fr: 'x'.repeat(101), en: '', es: '' } })).toEqual(['title.fr tooLong:100'])
  expect(wrong({ end: EVENT.start })).toEqual(['end later'])
  expect(wrong({ type: '' })).toEqual(['type choice'])
  expect(wrong({ start: '' })[0]).toBe('start required')
})

it('groups events by live, upcoming and ended', () => {
  const event = (id: string, start_date: string, end_date: string) => ({ id, start_date, end_date })
  const events = [
    event('long over', '2026-01-01', '2026-01-02'),
    event('over', '2026-02-01', '2026-02-02'),
    event('later', '2026-12-02', '2026-12-03'),
    event('next', '2026-12-01', '2026-12-09'),
    event('now', '2026-11-01', '2026-11-30'),
  ]
  const found = grouped(events, Date.parse('2026-11-22')).map((group) => [
    group.state,
    group.events.map(({ id }) => id),
  ])
  expect(found).toEqual([
    ['live', ['now']],
    ['upcoming', ['next', 'later']],
    ['ended', ['over', 'long over']],
  ])
  expect(grouped([], 0)).toEqual([])
})
