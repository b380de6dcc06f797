import { describe, expect, test } from 'vitest'
import { mayWrite, offsetOf, statementAt, statementsOf } from './statements'

const texts = (sql: string) => statementsOf(sql).map(({ from, to }) => sql.slice(from, to))

describe('statements', () => {
  test('quoted or commented semicolons end no statement', () => {
    const sql = [
      "select ';', E'\\';', \"a;b\"",
      '-- one; two\nselect 1 /* ; /* ; */ ; */',
      "do $body$ begin perform ';'; end $body$",
      'select $1 + 2',
    ]
    expect(texts(`${sql.join(';\n')};\n-- the end`)).toEqual(sql)
    expect(texts(' ;; \n')).toEqual([])
  })

  test('the statement at the cursor is returned', () => {
    const sql = 'select 1;\nselect 2;\n'
    const at = (place: number) => sql.slice(statementAt(sql, place)!.from, statementAt(sql, place)!.to)
    expect([at(0), at(8), at(12), at(sql.length)]).toEqual(['select 1', 'select 1', 'select 2', 'select 2'])
    expect(statementAt('  ', 1)).toBeUndefined()
  })

  test('positions count characters', () => {
    expect(offsetOf("select '😀' x", 1)).toBe(0)
    expect(offsetOf("select '😀' x", 12)).toBe(12)
  })

  test('statements that may write are recognized', () => {
    for (const sql of [
      'select 1',
      '-- x\n(select 2)',
      'with a as (select 1) table a',
      'explain delete from a',
      'explain (analyze) select 1',
    ])
      expect([sql, mayWrite(sql)]).toEqual([sql, false])
    for (const sql of [
      'insert into a values (1)',
      'with a as (delete from b returning *) select 1',
      'explain analyze update a set b = 1',
      'do $$$$',
    ])
      expect([sql, mayWrite(sql)]).toEqual([sql, true])
  })
})
