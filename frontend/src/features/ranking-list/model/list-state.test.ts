import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  PRESENTED_IN,
  PROMOTIONS,
  SORTS,
  changed,
  choicesIn,
  isFiltered,
  plainPage,
  readListState,
  writeListState,
} from './list-state'

const tag = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== '')
const state = fc.record({
  sort: fc.constantFrom(...SORTS),
  promotion: fc.constantFrom(...PROMOTIONS),
  language: fc.constantFrom(...PRESENTED_IN),
  tags: fc.uniqueArray(tag, { maxLength: 10 }),
  text: fc.string({ maxLength: 100 }).map((text) => text.replace(/\p{Cc}/gu, '').trim()),
  page: fc.integer({ min: 1, max: 100_000 }),
})

describe('the state of the list', () => {
  it('survives the way into the address and back', () => {
    fc.assert(
      fc.property(state, (listState) => {
        expect(readListState(new URLSearchParams(writeListState(listState)))).toEqual(listState)
      }),
    )
  })

  it('returns plain pages only for the default list', () => {
    const page = (query: string) => plainPage(readListState(new URLSearchParams(query)))
    expect(['', 'page=3', 'page=3&sort=votes', 'page=3&tag=PvP', 'page=3&q=x'].map(page)).toEqual([1, 3, 1, 1, 1])
  })

  it('parses any query without failing', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        const read = readListState(new URLSearchParams(query))
        expect(read.page).toBeGreaterThanOrEqual(1)
        expect(SORTS).toContain(read.sort)
      }),
    )
  })

  it('omits defaults and keeps foreign parameters', () => {
    const first = readListState(new URLSearchParams('game=flyff&page=0&sort=best'))
    expect(writeListState(first)).toBe('')
    expect(writeListState(changed(first, { sort: 'votes' }), new URLSearchParams('game=flyff&page=3'))).toBe(
      '?game=flyff&sort=votes',
    )
  })

  it('drops tags no database can hold', () => {
    expect(readListState(new URLSearchParams('tag=%00&tag=a%0ab&tag=PvP')).tags).toEqual(['PvP'])
  })

  it('resets the page with every change', () => {
    const third = readListState(new URLSearchParams('page=3&tag=PvP'))
    expect(changed(third, { promotion: 'prestige-only' })).toEqual({
      sort: 'default',
      promotion: 'prestige-only',
      language: 'any',
      tags: ['PvP'],
      text: '',
      page: 1,
    })
    expect(isFiltered(third)).toBe(true)
  })

  it('counts language filters and ignores unknown languages', () => {
    const read = (query: string) => readListState(new URLSearchParams(query))
    expect(choicesIn(read('language=es&prestige=regular-only&tag=PvP&tag=RP&q=x'))).toBe(4)
    expect(isFiltered(read('language=es'))).toBe(true)
    expect(read('language=de').language).toBe('any')
    expect(plainPage(read('language=es&page=3'))).toBe(1)
  })
})
