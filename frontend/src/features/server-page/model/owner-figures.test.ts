import { expect, it } from 'vitest'
import { figuresOf } from './owner-figures'

const DAYS = [
  { day: '2026-11-20', clicks: 7, copies: 2, votes: 1 },
  { day: '2026-11-22', clicks: 3, copies: 1, votes: 0 },
]

it('separates today from the total', () => {
  expect(figuresOf(DAYS, 'clicks', '2026-11-22')).toEqual({ today: 3, all: 10 })
  expect(figuresOf(DAYS, 'copies', '2026-11-21')).toEqual({ today: 0, all: 3 })
  expect(figuresOf([], 'votes', '2026-11-22')).toEqual({ today: 0, all: 0 })
})
