import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'

/** How much goes on in a game, counted anew every few seconds. */
export interface GameFigures {
  servers: number
  players_online: number
  votes_this_month: number
  votes_total: number
}

export interface Game {
  id: string
  name: string
  slug: string
  /** The word in the address of the page that shows this game; several games may share one. */
  page_slug: string
  logo_url: string | null
  backdrop_url: string | null
  /** Null as long as a new game has not been counted. */
  game_figures: GameFigures | null
}

export const gamesQuery = () => queryOptions({ queryKey: keys.games.all, queryFn: fetchGames, staleTime: 5 * 60_000 })

async function fetchGames({ signal }: { signal: AbortSignal }): Promise<Game[]> {
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
