import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Database } from '@/lib/database'
import { STALE_TIME } from '@/lib/query/stale-times'

export type VoteDay = Database['public']['Functions']['get_vote_history']['Returns'][number]

/** Votes of the last seven days, oldest first, refetched every minute. */
export const voteHistoryQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.history(serverId),
    queryFn: async ({ signal }): Promise<VoteDay[]> =>
      unwrap(await publicData.rpc('get_vote_history', { p_server_id: serverId }).abortSignal(signal)),
    staleTime: STALE_TIME.recent,
    refetchInterval: 60_000,
  })
