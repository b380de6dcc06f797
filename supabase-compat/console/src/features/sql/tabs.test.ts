import { describe, expect, test } from 'vitest'
import { addHistory, newTab } from './tabs'

describe('tabs', () => {
  test('a new tab has the next number', () => {
    expect(newTab([]).name).toBe('SQL 1')
    expect(
      newTab([
        { id: 'a', name: 'SQL 4', text: '' },
        { id: 'b', name: 'report', text: '' },
      ]).name,
    ).toBe('SQL 5')
  })

  test('repeated statement is one history entry', () => {
    const entry = (text: string) => ({ at: '2026-01-01T00:00:00Z', text, milliseconds: 1, rows: 1 })
    expect(addHistory(addHistory([], entry('a')), entry('a'))).toHaveLength(1)
    expect(addHistory([entry('a')], entry('b')).map(({ text }) => text)).toEqual(['b', 'a'])
    expect(addHistory([], entry('x'.repeat(30_000)))).toEqual([])
  })
})
