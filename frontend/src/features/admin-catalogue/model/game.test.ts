import * as v from 'valibot'
import { expect, it } from 'vitest'
import { gameSchema, gameValues, moved } from './game'

const place = (id: string, sort_order: number) => ({ id, sort_order })

it('moving a game changes only affected positions', () => {
  const games = [place('a', 10), place('b', 20), place('c', 30)]
  expect(moved(games, 'b', -1)).toEqual([place('b', 10), place('a', 20)])
  expect(moved(games, 'b', 1)).toEqual([place('c', 20), place('b', 30)])
  expect(moved(games, 'a', -1)).toEqual([])
  expect(moved(games, 'c', 1)).toEqual([])
})

it('tells equal places apart', () => {
  const games = [place('a', 100), place('b', 100), place('c', 100)]
  expect(moved(games, 'c', -1)).toEqual([place('c', 101), place('b', 102)])
})

it('refuses a pattern for nicknames that none is', () => {
  const schema = gameSchema('no pattern')
  const game = { ...gameValues(null), name: 'Go' }
  expect(v.is(schema, { ...game, nickname: '^[a-z]{3,}$' })).toBe(true)
  expect(v.safeParse(schema, { ...game, nickname: '[' }).issues?.[0]?.message).toBe('no pattern')
  expect(v.is(schema, { ...game, port: 0 })).toBe(false)
})
