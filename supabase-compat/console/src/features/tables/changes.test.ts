import { describe, expect, test } from 'vitest'
import {
  cascadesOf,
  deleteStatement,
  type NewValue,
  insertStatement,
  restoreStatement,
  updateStatement,
} from './changes'
import { column, relation } from './test-relation'

const songs = relation([
  column('id', 'bigint', { identity: 'a' }),
  column('title', 'text'),
  column('slug', 'text', { generated: true }),
])

describe('changes', () => {
  test('update requires the version that was shown', () => {
    const statement = updateStatement(
      songs,
      { identity: ['1'], version: '700' },
      new Map([['title', { text: "it's" }]]),
    )
    expect(statement.query).toMatch(
      /^update "public"."songs" set "title" = \$1::text::text where "id" = \$2::text::bigint and xmin = \$3::text::xid returning /,
    )
    expect(statement.parameters).toEqual(["it's", '1', '700'])
  })

  test('an insert omits columns with defaults', () => {
    expect(insertStatement(songs, new Map()).query).toMatch(/^insert into "public"."songs" default values returning /)
    const { query, parameters } = insertStatement(
      songs,
      new Map<string, NewValue>([
        ['title', { text: null }],
        ['id', 'default'],
      ]),
    )
    expect(query).toMatch(/^insert into "public"."songs" \("title"\) values \(\$1::text::text\)/)
    expect(parameters).toEqual([null])
  })

  test('deleted rows are restored with their former values', () => {
    const deletion = deleteStatement(songs, [{ identity: ['1'], version: '700' }])
    expect(deletion.query).toContain('o."id" = (r.value->>0)::bigint and o.xmin = (r.value->>1)::xid')
    expect(deletion.query).toMatch(/returning to_json\(array\[o."id"::text, o."title"::text\]::text\[\]\)::text$/)
    expect(deletion.parameters).toEqual(['[["1","700"]]'])
    expect(restoreStatement(songs, [['1', 'a']]).query).toBe(
      'insert into "public"."songs" ("id", "title") overriding system value ' +
        'select (e.value->>0)::bigint, (e.value->>1)::text ' +
        'from pg_catalog.jsonb_array_elements($1::text::jsonb) with ordinality as e(value, place) order by e.place',
    )
  })

  test('rows deleted by a cascade are listed', () => {
    const references = [
      { schema: 'public', table: 'plays', name: 'a', on_delete: 'c' },
      { schema: 'stats', table: 'days', name: 'b', on_delete: 'n' },
      { schema: 'public', table: 'notes', name: 'c', on_delete: 'a' },
    ]
    expect(cascadesOf(relation([], { references }))).toEqual(['plays', 'stats.days'])
  })
})
