import { beforeEach, expect, it } from 'vitest'
import { changeOf, isNews, lastBefore, visitsOf, type VisitSnapshot } from './visit'

const HOUR = 3_600_000
const seen = (at: number): VisitSnapshot => ({ at, standings: { a: { place: 5, votes: 40 } } })

beforeEach(() => localStorage.clear())

it('reopening within half an hour keeps the baseline', () => {
  const [first, second] = [seen(0), seen(10 * HOUR)]
  expect(lastBefore({ last: null, current: null }, HOUR)).toBeNull()
  expect(lastBefore({ last: null, current: first }, HOUR)).toBe(first)
  expect(lastBefore({ last: first, current: second }, 10 * HOUR + 60_000)).toBe(first)
  expect(lastBefore({ last: first, current: second }, 11 * HOUR)).toBe(second)
})

it('returns place and vote changes since a visit', () => {
  expect(changeOf(seen(0), 'a', { place: 3, votes: 52 })).toEqual({ places: 2, votes: 12 })
  expect(changeOf(seen(0), 'a', { place: 9, votes: 3 })).toEqual({ places: -4, votes: 0 })
  expect(changeOf(seen(0), 'b', { place: 9, votes: 3 })).toBeNull()
  expect(changeOf(null, 'a', { place: 9, votes: 3 })).toBeNull()
})

it('only later announcements count as news', () => {
  const [before, after] = ['1969-12-31T23:00:00Z', '1970-01-01T02:00:00Z']
  expect([isNews(seen(HOUR), before), isNews(seen(HOUR), after), isNews(null, after)]).toEqual([false, true, false])
})

it.each([
  '',
  'null',
  '[]',
  '{"current":{"at":"x"}}',
  '{"last":3}',
  '{"current":{"at":1,"standings":{"a":{"place":"x"}}}}',
])('ignores malformed stored data (%s)', (text) => {
  localStorage.setItem('palmares.favorites-seen.ada', text)
  const { last, current } = visitsOf('ada').get()
  expect(last).toBeNull()
  expect(current === null || Object.keys(current.standings).length === 0).toBe(true)
})
