/** The games of the site, with how much goes on in each. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { gameKeys } from './keys'

export type Game = Awaited<ReturnType<typeof fetchGames>>[number]

/** How much goes on in a game, counted anew every few seconds; a new game has not been counted yet. */
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
