import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** How many months are shown. */
const SHOWN = 3

/**
 * The last past months, latest first: the votes, and the place among all servers once it is known.
 */
export const monthsQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.months(serverId),
    queryFn: async ({ signal }) =>
      unwrap(
        await publicData
          .from('server_monthly_votes')
          .select('month, votes, rank')
          .eq('server_id', serverId)
          .order('month', { ascending: false })
          .limit(SHOWN)
          .abortSignal(signal),
      ),
    staleTime: STALE_TIME.settled,
  })
