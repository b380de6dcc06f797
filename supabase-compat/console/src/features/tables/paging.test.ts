import { describe, expect, test } from 'vitest'
import { cursorOf, cursorToText, pageStatement, readPage, type Cursor } from './paging'
import { column, relation } from './test-relation'

const songs = relation([column('id', 'bigint'), column('title', 'text', { nullable: true })])
const condition = (query: string): string => / where (.*?) (?:order|limit)/.exec(query)?.[1] ?? ''

describe('pages', () => {
  test('the first page reads the key in order', () => {
    expect(pageStatement(songs, { filters: [], sort: [], size: 100 })).toEqual({
      query:
        'select "id"::text as c0, left("title"::text, 257) as c1, o."id"::text as c2, "id"::text as c3, xmin::text as c4 ' +
        'from "public"."songs" as o order by o."id" limit 101',
      parameters: [],
    })
  })

  test('the next page begins after the last row', () => {
    const cursor: Cursor = { direction: 'after', values: ['100'] }
    const { query, parameters } = pageStatement(songs, { filters: [], sort: [], size: 100, cursor })
    expect(condition(query)).toBe('o."id" > $1::text::bigint')
    expect(parameters).toEqual(['100'])
  })

  test('the previous page is read backwards and reversed', () => {
    const request = { filters: [], sort: [], size: 2, cursor: { direction: 'before', values: ['9'] } as const }
    const { query } = pageStatement(songs, { ...request, cursor: { direction: 'before', values: ['9'] } })
    expect(query).toMatch(/where o."id" < \$1::text::bigint order by o."id" desc limit 3$/)
    const rows = [8, 7, 6].map((id) => [id, 'x', String(id), String(id), '700'])
    const page = readPage(songs, { ...request, cursor: { direction: 'before', values: ['9'] } }, rows)
    expect(page.rows.map(({ identity }) => identity)).toEqual([['7'], ['8']])
    expect([page.hasPrevious, page.hasNext]).toEqual([true, true])
  })

  test('columns of one direction compare as a row', () => {
    const table = relation([column('id', 'bigint'), column('at', 'timestamp with time zone')])
    const cursor: Cursor = { direction: 'after', values: ['2026-01-01', '5'] }
    const sort = [{ column: 'at', descending: true }]
    const { query } = pageStatement(table, { filters: [], sort, size: 100, cursor })
    expect(condition(query)).toBe('(o."at", o."id") < ($1::text::timestamp with time zone, $2::text::bigint)')
    expect(query).toContain('order by o."at" desc, o."id" desc')
  })

  test('null cursor values have their own condition', () => {
    const sort = [{ column: 'title', descending: false }]
    const after = (title: string | null) =>
      pageStatement(songs, { filters: [], sort, size: 10, cursor: { direction: 'after', values: [title, '5'] } }).query
    expect(after('b')).toMatch(
      /^\(select .* where \(o."title", o."id"\) > \(\$1::text::text, \$2::text::bigint\) order by o."title", o."id" limit 11\) union all \(select .* where o."title" is null order by o."title", o."id" limit 11\) limit 11$/,
    )
    expect(condition(after(null))).toBe('o."title" is null and o."id" > $1::text::bigint')
    const before = pageStatement(songs, {
      filters: [],
      sort,
      size: 10,
      cursor: { direction: 'before', values: [null, '5'] },
    })
    expect(before.query).toContain(
      'where o."title" is null and o."id" < $1::text::bigint order by o."title" desc, o."id" desc',
    )
    expect(before.query).toContain('where o."title" is not null order by o."title" desc, o."id" desc')
  })

  test('mixed directions have a bound for the index', () => {
    const table = relation([column('id', 'bigint'), column('a', 'integer'), column('b', 'integer')])
    const sort = [
      { column: 'a', descending: false },
      { column: 'b', descending: true },
    ]
    const cursor: Cursor = { direction: 'after', values: ['1', '2', '3'] }
    expect(condition(pageStatement(table, { filters: [], sort, size: 10, cursor }).query)).toBe(
      '((o."a" > $1::text::integer) or (o."a" is not distinct from $1::text::integer and o."b" < $2::text::integer) or ' +
        '(o."a" is not distinct from $1::text::integer and o."b" is not distinct from $2::text::integer and o."id" < $3::text::bigint)) ' +
        'and o."a" >= $1::text::integer',
    )
  })

  test('tables without a key are paginated by ctid', () => {
    const table = relation([column('a', 'text')], { key: [] })
    expect(pageStatement(table, { filters: [], sort: [], size: 10 }).query).toMatch(
      /from "public"."songs" as o limit 11$/,
    )
    const cursor: Cursor = { direction: 'after', values: ['(0,10)'] }
    const { query } = pageStatement(table, { filters: [], sort: [], size: 10, cursor })
    expect(query).toMatch(/where o.ctid > \$1::text::tid limit 11$/)
  })

  test('view without a key is paginated by offset', () => {
    const view = relation([column('a', 'text')], { key: [], kind: 'view' })
    const cursor: Cursor = { direction: 'offset', offset: 20 }
    expect(pageStatement(view, { filters: [], sort: [], size: 10, cursor }).query).toMatch(/ limit 11 offset 20$/)
  })

  test('column named like an alias sorts by itself', () => {
    const table = relation([column('id', 'bigint'), column('c0', 'text')])
    const { query } = pageStatement(table, { filters: [], sort: [{ column: 'c0', descending: false }], size: 10 })
    expect(query).toContain('order by o."c0", o."id"')
  })

  test('cursor that does not match is ignored', () => {
    const cursor: Cursor = { direction: 'after', values: ['1'] }
    expect(cursorOf(cursorToText(cursor), songs, [])).toEqual(cursor)
    for (const text of [null, '', 'after:', 'after:["1","2"]', 'after:[1]', 'offset:-1', 'offset:x', 'after:{'])
      expect(cursorOf(text, songs, [])).toBeUndefined()
  })
})
