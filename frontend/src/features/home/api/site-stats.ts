import { queryOptions } from '@tanstack/react-query'
import { siteKeys } from '@/entities/site/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

export interface SiteStats {
  servers: number
  players_online: number
  votes_this_month: number
  votes_total: number
}

/** Figures of the site, refetched every 30 seconds. */
export const siteStatsQuery = () =>
  queryOptions({
    queryKey: siteKeys.stats,
    queryFn: fetchSiteStats,
    staleTime: STALE_TIME.recent,
    refetchInterval: 30_000,
  })

async function fetchSiteStats({ signal }: { signal: AbortSignal }): Promise<SiteStats> {
  return unwrap(await publicData.rpc('get_site_stats', undefined, { get: true }).abortSignal(signal).single())
}
