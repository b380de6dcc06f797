import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Database } from '@/lib/database'
import { STALE_TIME } from '@/lib/query/stale-times'

export type VoteOutcome = Database['public']['Functions']['get_vote_outcomes']['Returns'][number]

/** The outcomes of a server's votes: counted, refused and voided, by reason. */
export const voteOutcomesQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.outcomes(serverId),
    queryFn: async ({ signal }): Promise<VoteOutcome[]> =>
      unwrap(await publicData.rpc('get_vote_outcomes', { p_server_id: serverId }).abortSignal(signal)),
    staleTime: STALE_TIME.steady,
  })
