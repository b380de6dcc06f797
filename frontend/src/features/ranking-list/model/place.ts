interface RankColumns {
  rank: number
  game_rank: number
  day_rank: number | null
  day_game_rank: number | null
}

export interface Place {
  place: number
  /** Places won since the day began, or lost; none where there was no place this morning. */
  moved: number
}

/** A server's place among all or in its game, and how it moved. */
export function placeOf(server: RankColumns, inGame: boolean): Place {
  const place = inGame ? server.game_rank : server.rank
  const before = inGame ? server.day_game_rank : server.day_rank
  return { place, moved: (before ?? place) - place }
}
