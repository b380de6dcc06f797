import { queryOptions } from '@tanstack/react-query'
import { podiumKeys } from '@/entities/podium/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** The maximum number of shown places. */
const MOST = 6

/** The server's places among the first three in past months, the best first. */
export const placingsQuery = (serverId: string) =>
  queryOptions({
    queryKey: podiumKeys.ofServer(serverId),
    queryFn: async ({ signal }) =>
      unwrap(
        await publicData
          .from('won_places')
          .select('month, place, games(slug)')
          .eq('server_id', serverId)
          .order('place')
          .order('month', { ascending: false })
          .limit(MOST)
          .abortSignal(signal),
      ),
    staleTime: STALE_TIME.settled,
  })
