/** The games of the site, with their figures. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { gameKeys } from './keys'

export type Game = Awaited<ReturnType<typeof fetchGames>>[number]

/** A game's figures, updated every few seconds; a new game has none yet. */
export type GameFigures = NonNullable<Game['game_figures']>

export const gamesQuery = () =>
  queryOptions({ queryKey: gameKeys.list, queryFn: fetchGames, staleTime: STALE_TIME.settled })

async function fetchGames({ signal }: { signal: AbortSignal }) {
  return unwrap(
    await publicData
      .from('games')
      .select(
        'id,name,slug,page_slug,logo_url,backdrop_url,game_figures(servers,players_online,votes_this_month,votes_total)',
      )
      .order('name')
      .abortSignal(signal),
  )
}
