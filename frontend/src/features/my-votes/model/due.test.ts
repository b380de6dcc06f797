import { expect, it } from 'vitest'
import { byDay, byTurn } from './due'

const NOW = Date.parse('2031-05-14T12:00:00Z')
const voted = (id: string, next: string) => ({ id, next_vote_at: `2031-05-14T${next}:00Z` })

it('splits ready servers from waiting, soonest first', () => {
  const servers = [voted('a', '11:00'), voted('b', '13:00'), voted('c', '12:30'), voted('d', '12:00')]
  const { ready, waiting } = byTurn(servers, {}, NOW)
  expect(ready.map(({ id }) => id)).toEqual(['a', 'd'])
  expect(waiting.map(({ id }) => id)).toEqual(['c', 'b'])
})

it('uses the later vote time from the browser', () => {
  const { ready, waiting } = byTurn([voted('a', '11:00')], { a: NOW + 1 }, NOW)
  expect([ready, waiting.map(({ id }) => id)]).toEqual([[], ['a']])
})

it('gathers votes by day, without changing their order', () => {
  const votes = ['2031-05-14T09:00Z', '2031-05-14T08:00Z', '2031-05-13T22:00Z'].map((voted_at) => ({ voted_at }))
  const days = byDay(votes, (moment) => moment.slice(0, 10))
  expect(days.map(({ day, votes: of }) => [day, of.length])).toEqual([
    ['2031-05-14', 2],
    ['2031-05-13', 1],
  ])
})
