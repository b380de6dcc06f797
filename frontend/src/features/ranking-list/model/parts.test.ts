import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasParts, partsOf, placedOn, preferLanguage } from './parts'
import { readListState } from './list-state'

const row = (id: string, votes: number, promoted = false) => ({
  id,
  is_prestige: promoted,
  monthly_votes: votes,
  language: 'fr',
})
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

it('splits only lists with promoted servers first', () => {
  const parted = (query: string) => hasParts(readListState(new URLSearchParams(query)))
  expect(['', 'sort=votes', 'tag=PvP', 'page=2'].map(parted)).toEqual([true, true, true, true])
  expect(['sort=popular', 'sort=competitive', 'prestige=regular-only'].map(parted)).toEqual([false, false, false])
})

it('keeps ranked places of promoted servers', () => {
  const rows = [row('p', 50, true), row('q', 1, true), row('r', 35, true), row('a', 90), row('b', 40), row('c', 30)]
  const parts = partsOf({ rows, page: 1, count: 60 })
  expect(ids(parts.first!)).toEqual(['a', 'p', 'b'])
  // The place of q is on a later page.
  expect(ids(parts.ranked)).toEqual(['r', 'c'])
  expect(ids(parts.promoted)).toEqual(['q', 'r'])
})

it('ranks all servers on a single page', () => {
  const parts = partsOf({ rows: [row('q', 1, true), row('a', 90)], page: 1, count: 2 })
  expect(ids(parts.first!)).toEqual(['a', 'q'])
  expect(parts.ranked).toEqual([])
})

it('omits the top three when incomplete', () => {
  expect(partsOf({ rows: [row('p', 50, true), row('a', 9)], page: 1, count: 60 }).first).toBeNull()
})

it('places promoted servers on later pages', () => {
  const rows = [row('a', 9), row('b', 8), row('c', 7)]
  const later = partsOf({ rows, placed: [row('p', 8, true)], page: 2, count: 60 })
  expect(later.first).toBeNull()
  expect(later.promoted).toEqual([])
  expect(ids(later.ranked)).toEqual(['a', 'b', 'p', 'c'])
})

it('breaks ties at the page end by id', () => {
  const promoted = [row('a', 7, true), row('z', 7, true), row('y', 8, true)]
  expect(ids(placedOn(promoted, [row('m', 7)], false))).toEqual(['a', 'y'])
  expect(ids(placedOn(promoted, [row('m', 7)], true))).toEqual(['a', 'z', 'y'])
})

it('prefers the reader’s language mildly among the shuffled', () => {
  const rowsOf = (text: string) => [...text].map((character) => ({ language: character === 'f' ? 'fr' : 'en' }))
  const order = (text: string) =>
    preferLanguage(rowsOf(text), 'fr')
      .map(({ language }) => language[0])
      .join('')
  expect(order('eef')).toBe('fee')
  expect(order('eeeef')).toBe('eefee')
  expect(order('eeee')).toBe('eeee')
  const shuffled = fc.array(
    fc.constantFrom('fr', 'en', 'es').map((language) => ({ language })),
    { maxLength: 25 },
  )
  fc.assert(
    fc.property(shuffled, (rows) => {
      const preferred = preferLanguage(rows, 'fr')
      // No server is lost, and none moves up by more than two places.
      expect(new Set(preferred)).toEqual(new Set(rows))
      preferred.forEach((one, place) => expect(rows.indexOf(one) - place).toBeLessThanOrEqual(2))
    }),
  )
})
