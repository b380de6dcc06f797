import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { podiumKeys } from '@/entities/podium/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { PAGE_SIZE } from '../model/podiums'

async function fetchPlaces(month: string, game: string | null, page: number, signal: AbortSignal) {
  let query = publicData
    .from('month_places')
    .select('rank, votes, server_id, name, slug, logo_image_url, game_name, game_slug')
    .eq('month', month)
  if (game !== null) query = query.eq('game_slug', game)
  const first = (page - 1) * PAGE_SIZE
  const ordered = query
    .order('votes', { ascending: false })
    .order('server_id')
    .range(first, first + PAGE_SIZE - 1)
  return unwrap(await ordered.abortSignal(signal))
}

export type MonthPlace = Awaited<ReturnType<typeof fetchPlaces>>[number]

/**
 * A page of the ranking of a past month, which is named by its first day; of one game or of all.
 */
export const monthPlacesQuery = (month: string, game: string | null, page: number) =>
  queryOptions({
    queryKey: podiumKeys.places(month, game, page),
    queryFn: ({ signal }) => fetchPlaces(month, game, page, signal),
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME.settled,
  })
