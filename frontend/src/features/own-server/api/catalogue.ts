/** What a server can be of, and wear. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'

/** The rows that lists of games show too, under the same key. */
async function fetchGames(signal: AbortSignal) {
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

export type FormGame = Awaited<ReturnType<typeof fetchGames>>[number]

export const formGamesQuery = () =>
  queryOptions({
    queryKey: keys.games.all,
    queryFn: ({ signal }) => fetchGames(signal),
    staleTime: 5 * 60_000,
  })

/** The same of tags. */
async function fetchTags(signal: AbortSignal) {
  return unwrap(
    await publicData.from('server_tags').select('name,color,name_fr,name_en,name_es').order('name').abortSignal(signal),
  )
}

export type FormTag = Awaited<ReturnType<typeof fetchTags>>[number]

export const formTagsQuery = () =>
  queryOptions({ queryKey: keys.tags.list, queryFn: ({ signal }) => fetchTags(signal), staleTime: 5 * 60_000 })
