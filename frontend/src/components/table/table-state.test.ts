import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readTableState, sortedBy, withoutFilters, writeTableState, type TableSpec } from './table-state'

const SPEC: TableSpec<'name' | 'kind'> = {
  sorts: ['name', 'votes'],
  sort: '-votes',
  filters: { name: 'text', kind: ['steam', 'other'] },
  sizes: [10, 25],
}
const at = (query: string) => readTableState(new URLSearchParams(query), SPEC)
const USUAL = { sort: { column: 'votes', descending: true }, filters: { name: '', kind: '' }, page: 1, size: 10 }

it('reads order, filters, page and size', () => {
  expect(at('sort=name&name=ark&kind=steam&page=3&size=25')).toEqual({
    sort: { column: 'name', descending: false },
    filters: { name: 'ark', kind: 'steam' },
    page: 3,
    size: 25,
  })
})

it.each(['', 'sort=secret', 'sort=-', 'kind=dog', 'page=0', 'page=-1', 'page=1.5', 'page=x', 'size=7', 'name=%00'])(
  'takes the usual for what cannot be: %s',
  (query) => {
    expect(at(query)).toEqual(USUAL)
  },
)

it('writes non-default state and keeps other parameters', () => {
  const state = { ...USUAL, filters: { name: 'ark', kind: '' }, page: 2 }
  expect(writeTableState(new URLSearchParams('tab=all&sort=name'), SPEC, state).toString()).toBe(
    'tab=all&name=ark&page=2',
  )
  expect(withoutFilters(SPEC, state)).toEqual(USUAL)
})

it('toggles sort order, starts new columns ascending', () => {
  expect(sortedBy({ column: 'name', descending: false }, 'name')).toEqual({ column: 'name', descending: true })
  expect(sortedBy({ column: 'name', descending: true }, 'votes')).toEqual({ column: 'votes', descending: false })
})

it('round-trips table state for any query string', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      const state = at(query)
      expect(readTableState(writeTableState(new URLSearchParams(query), SPEC, state), SPEC)).toEqual(state)
    }),
  )
})
