import { expect, it } from 'vitest'
import { placeOf } from './place'

const server = { rank: 7, game_rank: 2, day_rank: 10, day_game_rank: 1 }

it('tells how a server moved since the day began, among all and in its game', () => {
  expect(placeOf(server, false)).toEqual({ place: 7, moved: 3 })
  expect(placeOf(server, true)).toEqual({ place: 2, moved: -1 })
})

it('tells nothing of a server without a place this morning', () => {
  expect(placeOf({ ...server, day_rank: null }, false)).toEqual({ place: 7, moved: 0 })
})
