import { expect, it } from 'vitest'
import { figuresOf } from './figures'

const row = (figure: string, part: string, amounts: number[]) => ({
  figure,
  part,
  amounts,
  total: amounts.reduce((sum, amount) => sum + amount, 0),
  first_day: '2026-10-24',
  counted_at: '2026-10-26T12:00:00Z',
})

it('sums figure parts per day across DST', () => {
  const figures = figuresOf([row('delivered', 'webhook', [1, 0, 4]), row('delivered', 'votifier', [2, 3, 0])])
  expect(figures?.days).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
  expect(figures?.valuesOf('delivered')).toEqual([3, 3, 4])
  expect(figures?.totalOf('delivered')).toBe(10)
  expect(figures?.valuesOf('votes')).toEqual([0, 0, 0])
  expect(figures?.totalOf('votes')).toBe(0)
})

it('sorts reasons by frequency and maps unknown ones', () => {
  const figures = figuresOf([
    row('refused', 'captcha', [1, 1, 1]),
    row('refused', 'cooldown', [5, 0, 0]),
    row('refused', 'later_than_this_page', [0, 1, 0]),
    row('voided', 'other', [0, 0, 2]),
    row('votes', '', [9, 9, 9]),
  ])
  expect(figures?.reasons).toEqual([
    { words: 'cooldown', kind: 'refused', total: 5 },
    { words: 'captcha', kind: 'refused', total: 3 },
    { words: 'other', kind: 'voided', total: 2 },
    { words: 'other', kind: 'refused', total: 1 },
  ])
})

it('is nothing before a day was counted', () => {
  expect(figuresOf([])).toBeNull()
})
