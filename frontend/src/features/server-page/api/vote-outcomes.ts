import { queryOptions } from '@tanstack/react-query'
import type { Database } from '@/lib/database'
import { unwrap } from '@/lib/api/errors'
import { laterKeys } from '@/lib/query/later-keys'
import { publicData } from '@/lib/api/public-data'

export type VoteOutcome = Database['public']['Functions']['get_vote_outcomes']['Returns'][number]

/** What became of a server's votes: counted, refused and taken back, by reason. */
export const voteOutcomesQuery = (serverId: string) =>
  queryOptions({
    queryKey: laterKeys.servers.outcomes(serverId),
    queryFn: async ({ signal }): Promise<VoteOutcome[]> =>
      unwrap(await publicData.rpc('get_vote_outcomes', { p_server_id: serverId }).abortSignal(signal)),
    staleTime: 60_000,
  })
