import { expect, it } from 'vitest'
import { placeOf } from './place'

const server = { rank: 7, game_rank: 2, day_rank: 10, day_game_rank: 1 }

it('returns place changes overall and per game', () => {
  expect(placeOf(server, false)).toEqual({ place: 7, moved: 3 })
  expect(placeOf(server, true)).toEqual({ place: 2, moved: -1 })
})

it('returns zero change without a starting place', () => {
  expect(placeOf({ ...server, day_rank: null }, false)).toEqual({ place: 7, moved: 0 })
})
