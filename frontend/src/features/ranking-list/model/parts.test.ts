import { expect, it } from 'vitest'
import { hasParts, partsOf } from './parts'
import { readListState } from './list-state'

const row = (id: string, votes: number, promoted = false) => ({
  id,
  is_prestige: promoted,
  monthly_votes: votes,
  rank: 1,
  game_rank: 1,
})
const drawn = ({ ranked }: ReturnType<typeof partsOf>) => ranked.map(({ row: { id }, line }) => (line ? `(${id})` : id))

it('parts the list only where promoted servers come first', () => {
  const parted = (query: string) => hasParts(readListState(new URLSearchParams(query)))
  expect(['', 'sort=votes', 'tag=PvP', 'page=2'].map(parted)).toEqual([true, true, true, true])
  expect(['sort=popular', 'sort=competitive', 'prestige=regular-only'].map(parted)).toEqual([false, false, false])
})

it('keeps the place of a promoted server in the ranking, as a line', () => {
  const parts = partsOf([row('p', 50, true), row('q', 1, true), row('a', 90), row('b', 40), row('c', 30)], 1, 60)
  expect(parts.promoted.map(({ id }) => id)).toEqual(['p', 'q'])
  // The place of q is on a later page.
  expect(drawn(parts)).toEqual(['a', '(p)', 'b', 'c'])
  expect(parts.podium?.map(({ id }) => id)).toEqual(['a', 'p', 'b'])
})

it('holds every place when there is one page only', () => {
  expect(drawn(partsOf([row('q', 1, true), row('a', 90)], 1, 2))).toEqual(['a', '(q)'])
})

it('does not guess the podium from a page that does not hold it', () => {
  expect(partsOf([row('p', 50, true), row('a', 9)], 1, 60).podium).toBeNull()
  const later = partsOf([row('p', 50, true), row('a', 9), row('b', 8), row('c', 7)], 2, 60)
  expect(later.podium).toBeNull()
  expect(drawn(later)).toEqual(['a', 'b', 'c'])
})
