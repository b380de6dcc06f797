import { expect, it } from 'vitest'
import { changesLine, changesOf, shortValue } from './changes'

it('pairs old and new values by column', () => {
  expect(changesOf({ role: 'user', note: null }, { role: 'admin', added: 1 })).toEqual([
    { column: 'added', before: undefined, after: 1 },
    { column: 'note', before: null, after: undefined },
    { column: 'role', before: 'user', after: 'admin' },
  ])
})

it.each([null, 'text', 4, ['a']])('returns no changes for an invalid row: %j', (row) => {
  expect(changesOf(row, row)).toEqual([])
})

it('says everything in one line for a file', () => {
  expect(changesLine({ is_banned: false }, { is_banned: true, tags: ['a', 'b'] })).toBe(
    'is_banned: false → true; tags:  → ["a","b"]',
  )
})

it('cuts long texts', () => {
  expect(shortValue('x'.repeat(161))).toBe(`${'x'.repeat(160)}…`)
  expect(shortValue('x'.repeat(160))).toBe('x'.repeat(160))
})
