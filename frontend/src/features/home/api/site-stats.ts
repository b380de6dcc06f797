import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { publicData } from '@/lib/public-data'

export interface SiteStats {
  servers: number
  players_online: number
  votes_this_month: number
  votes_total: number
}

/** The site in figures, renewed every 30 seconds. */
export const siteStatsQuery = () =>
  queryOptions({ queryKey: ['site-stats'], queryFn: fetchSiteStats, staleTime: 30_000, refetchInterval: 30_000 })

async function fetchSiteStats(): Promise<SiteStats> {
  return unwrap(await publicData.rpc('get_site_stats').single())
}
