import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'

export interface Game {
  id: string
  name: string
  slug: string
  /** The word in the address of the page that shows this game; several games may share one. */
  page_slug: string
  logo_url: string | null
  backdrop_url: string | null
}

export const gamesQuery = () => queryOptions({ queryKey: keys.games.all, queryFn: fetchGames, staleTime: 5 * 60_000 })

async function fetchGames({ signal }: { signal: AbortSignal }): Promise<Game[]> {
  return unwrap(
    await publicData
      .from('games')
      .select('id,name,slug,page_slug,logo_url,backdrop_url')
      .order('name')
      .abortSignal(signal),
  )
}
