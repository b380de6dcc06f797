interface RankColumns {
  rank: number
  game_rank: number
  day_rank: number | null
  day_game_rank: number | null
}

export interface Place {
  place: number
  /**
   * Places gained since the start of the day, negative if lost; zero if there was no place then.
   */
  moved: number
}

/** A server's place among all or in its game, and its change since the start of the day. */
export function placeOf(server: RankColumns, inGame: boolean): Place {
  const place = inGame ? server.game_rank : server.rank
  const before = inGame ? server.day_game_rank : server.day_rank
  return { place, moved: (before ?? place) - place }
}
