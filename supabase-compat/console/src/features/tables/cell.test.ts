import { describe, expect, test } from 'vitest'
import { arrayFromText, arrayToJson, editorOf, formatArray, parseArray, problemOf, shownText } from './cell'
import { column } from './test-relation'

describe('cells', () => {
  test('each type has its editor', () => {
    expect(editorOf(column('a', 'boolean'))).toBe('boolean')
    expect(editorOf(column('a', 'mood', { category: 'E', labels: ['sad'] }))).toBe('choice')
    expect(editorOf(column('a', 'mood[]', { category: 'A', labels: ['sad'] }))).toBe('array')
    expect(editorOf(column('a', 'jsonb'))).toBe('json')
    expect(editorOf(column('a', 'bigint'))).toBe('number')
    expect(editorOf(column('a', 'text'))).toBe('text')
  })

  test('texts are checked by type', () => {
    const problem = (type: string, text: string | null, more = {}) => problemOf(column('a', type, more), text)
    expect(problem('integer', '12')).toBeUndefined()
    expect(problem('integer', '1.5')).toBe('integer')
    expect(problem('integer', '3000000000')).toBe('integer_range')
    expect(problem('bigint', '9223372036854775807')).toBeUndefined()
    expect(problem('bigint', '9223372036854775808')).toBe('integer_range')
    expect(problem('numeric', '1e5')).toBeUndefined()
    expect(problem('numeric', 'one')).toBe('number')
    expect(problem('boolean', 'maybe')).toBe('boolean')
    expect(problem('jsonb', '{"a":1}')).toBeUndefined()
    expect(problem('jsonb', '{a:1}')).toBe('json')
    expect(problem('uuid', 'x')).toBe('uuid')
    expect(problem('uuid', '6f9619ff-8b86-d011-b42d-00cf4fc964ff')).toBeUndefined()
    expect(problem('date', 'soon')).toBe('date')
    expect(problem('text', null)).toBe('required')
    expect(problem('text', null, { nullable: true })).toBeUndefined()
    expect(problem('character varying(2)', 'abc', { base: 'varchar' })).toBe('too_long')
    expect(problem('mood', 'glad', { labels: ['sad'] })).toBe('label')
  })

  test('arrays are converted to JSON and back', () => {
    const text = '{1,NULL,"a b","say \\"hi\\"",{x,"NULL"}}'
    expect(parseArray(text)).toEqual(['1', null, 'a b', 'say "hi"', ['x', 'NULL']])
    const values = ['a,b', '', 'c\\d', null, ['{}']]
    expect(parseArray(formatArray(values))).toEqual(values)
    expect(arrayFromText(arrayToJson('{1,2}'))).toBe('{"1","2"}')
    expect(parseArray('{}')).toEqual([])
    for (const invalid of ['{', '{a', '{a}}', 'a', '{,}', '{"a}']) expect(parseArray(invalid)).toBeUndefined()
    expect(problemOf(column('a', 'text[]', { category: 'A' }), '[2:3]={a,b}')).toBeUndefined()
  })

  test('long cells are cut', () => {
    expect(shownText('a\n b')).toEqual({ text: 'a b', isCut: false })
    expect(shownText('x'.repeat(257))).toEqual({ text: 'x'.repeat(256), isCut: true })
  })
})
