import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** The place of a server in its game; null while it is hidden from visitors. */
export const placeQuery = (id: string) =>
  queryOptions({
    queryKey: serverKeys.place(id),
    queryFn: async ({ signal }) => {
      const answer = await publicData
        .from('servers_public')
        .select('game_rank')
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
      return unwrapOptional(answer)?.game_rank ?? null
    },
    staleTime: STALE_TIME.recent,
  })
