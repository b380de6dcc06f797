import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Database } from '@/lib/database'
import { STALE_TIME } from '@/lib/query/stale-times'

export type ServerStats = Database['public']['Functions']['get_server_stats']['Returns'][number]

/** The figures of a server, refetched every 30 seconds. */
export const statsQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.stats(serverId),
    queryFn: async ({ signal }): Promise<ServerStats> =>
      unwrap(await publicData.rpc('get_server_stats', { p_server_id: serverId }).abortSignal(signal).single()),
    staleTime: STALE_TIME.moving,
    refetchInterval: 30_000,
  })
