import { describe, expect, test } from 'vitest'
import { restParameters } from './rows'
import { addressOf, parametersOf } from './use-table-address'

describe('the address of a table', () => {
  test('screen state is restored from the URL', () => {
    const text =
      'view=structure&filter=name.contains.a%26b&filter=id.null&sort=id.desc&page=after%3A%5B%221%22%5D&size=500&as=anon'
    expect(parametersOf(addressOf(new URLSearchParams(text))).toString()).toBe(text)
    expect(parametersOf(addressOf(new URLSearchParams('size=7&view=x'))).toString()).toBe('')
  })

  test('a user is identified by the id alone', () => {
    const user = '6f9619ff-8b86-d011-b42d-00cf4fc964ff'
    expect(addressOf(new URLSearchParams({ as: user })).viewer).toEqual({ kind: 'authenticated', user })
    expect(addressOf(new URLSearchParams({ as: 'x y' })).viewer).toEqual({ kind: 'authenticated', user: null })
  })

  test('filters are translated into operators of the API', () => {
    const parameters = restParameters({
      filters: [
        { column: 'id', operator: 'in', value: '1, a"b' },
        { column: 'gone', operator: 'null', value: '' },
      ],
      sort: [{ column: 'we,ird', descending: true }],
      offset: 100,
      size: 50,
    })
    expect(Object.fromEntries(parameters)).toEqual({
      select: '*',
      limit: '51',
      offset: '100',
      id: 'in.("1","a\\"b")',
      gone: 'is.null',
      order: '"we,ird".desc',
    })
  })
})
