import { expect, test } from 'vitest'
import { csvOf, jsonOf } from './copy'

const result = {
  columns: [
    { name: 'a', type: 'text' },
    { name: 'a', type: 'jsonb' },
  ],
  rows: [
    ['x,"y"', { b: 1 }],
    [null, null],
  ],
  row_count: 2,
  truncated: false,
  duration_ms: 1,
  command: 'SELECT',
}

test('CSV and JSON contain the whole result', () => {
  expect(csvOf(result)).toBe('a,a\r\n"x,""y""","{""b"":1}"\r\n,')
  expect(JSON.parse(jsonOf(result))).toEqual([
    { a: 'x,"y"', a_2: { b: 1 } },
    { a: null, a_2: null },
  ])
})
