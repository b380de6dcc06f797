import { expect, test } from 'vitest'
import { reasonsOf, sumsOf } from './outcomes'

const outcome = (kind: string, reason: string, last_days: number, total: number) => ({
  kind,
  reason,
  last_days,
  total,
  counted_since: '2026-11-23',
})
const OUTCOMES = [
  outcome('accepted', 'accepted', 40, 90),
  outcome('refused', 'cooldown', 7, 9),
  outcome('refused', 'captcha', 1, 12),
  outcome('voided', 'automated', 0, 4),
]

test('outcome sums always contain three kinds', () => {
  expect(sumsOf(OUTCOMES)).toEqual([
    { kind: 'accepted', lastDays: 40, total: 90 },
    { kind: 'refused', lastDays: 8, total: 21 },
    { kind: 'voided', lastDays: 0, total: 4 },
  ])
  expect(sumsOf([]).map((sum) => sum.total)).toEqual([0, 0, 0])
})

test('reasons are sorted and unknown ones grouped', () => {
  const reasons = reasonsOf([...OUTCOMES, outcome('refused', 'moon', 1, 2)])
  expect(reasons.map(({ words, total }) => [words, total])).toEqual([
    ['captcha', 12],
    ['cooldown', 9],
    ['automated', 4],
    ['other', 2],
  ])
})
