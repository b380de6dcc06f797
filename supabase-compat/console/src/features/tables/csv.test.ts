import { describe, expect, test } from 'vitest'
import { chunksOf, mappedColumns, missingColumns, problemsOf, proposeMapping, valuesOf } from './csv'
import { column } from './test-relation'

const columns = [
  column('id', 'bigint', { identity: 'd' }),
  column('full_name', 'text'),
  column('born', 'date', { nullable: true }),
  column('slug', 'text', { generated: true }),
]

describe('files', () => {
  test('headings find their columns', () => {
    expect(proposeMapping(['Full Name', 'ID', 'slug', 'other', 'fullname'], columns)).toEqual([
      'full_name',
      'id',
      null,
      null,
      null,
    ])
    expect(missingColumns(['id'], columns)).toEqual(['full_name'])
  })

  test('empty cells are null where null is allowed', () => {
    const mapping = ['full_name', null, 'born']
    expect(valuesOf(['', 'x', ''], mapping, columns)).toEqual(['', null])
    expect(mappedColumns(mapping, columns).map(({ name }) => name)).toEqual(['full_name', 'born'])
  })

  test('wrong cells are named by row and column', () => {
    expect(
      problemsOf(
        [
          ['1', 'a'],
          ['x', 'b'],
        ],
        columns.slice(0, 2),
      ),
    ).toEqual([{ line: 2, column: 'id', problem: 'integer' }])
  })

  test('large files are cut between rows', () => {
    expect(chunksOf([['a'], ['b'], ['c']], 22, 10)).toEqual([[['a'], ['b']].slice(0, 2), [['c']]])
    expect(chunksOf([1, 2, 3], 1000, 2)).toEqual([[1, 2], [3]])
  })
})
