import { describe, expect, test } from 'vitest'
import { Parameters } from '@/postgres/quote'
import { column } from './test-relation'
import { conditionsOf, filterOf, filterToText, sortOf, sortToText, type Filter } from './filters'

describe('filters', () => {
  test('filters are restored from the address', () => {
    const filters: Filter[] = [
      { column: 'name', operator: 'contains', value: 'a.b=c&d' },
      { column: 'we.ird%name', operator: 'eq', value: '' },
      { column: 'gone', operator: 'null', value: '' },
    ]
    expect(filters.map(filterToText).map(filterOf)).toEqual(filters)
    expect(filterOf('nothing')).toBeUndefined()
    expect(filterOf('name.drop.x')).toBeUndefined()
    const sort = { column: 'we.ird', descending: true }
    expect(sortOf(sortToText(sort))).toEqual(sort)
  })

  test('values never become part of a statement', () => {
    const parameters = new Parameters()
    const columns = [column('id', 'bigint'), column('na"me', 'text'), column('data', 'json', { sortable: false })]
    const filters: Filter[] = [
      { column: 'id', operator: 'in', value: '1, 2' },
      { column: 'na"me', operator: 'contains', value: "50%_'" },
      { column: 'data', operator: 'eq', value: '{}' },
      { column: 'unknown', operator: 'eq', value: 'x' },
    ]
    expect(conditionsOf(filters, columns, parameters)).toEqual([
      '"id" in ($1::text::bigint, $2::text::bigint)',
      '"na""me"::text ilike $3::text::text',
      '"data"::text = $4::text::text',
    ])
    expect(parameters.values).toEqual(['1', '2', "%50\\%\\_'%", '{}'])
  })
})
