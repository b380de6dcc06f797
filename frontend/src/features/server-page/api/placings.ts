import { queryOptions } from '@tanstack/react-query'
import { podiumKeys } from '@/entities/podium/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** What is shown of a long career. */
const MOST = 6

/** The places among the first three that a server won in months that are over, the best first. */
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
