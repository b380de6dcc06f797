import { queryOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { daysAfter, siteToday } from '@/lib/time/site-day'
import type { DayFigures } from '../model/owner-figures'

interface OwnerFigures {
  /** The last seven days, today included; days without counts are absent. */
  days: DayFigures[]
  /** The number of reviews without a reply. */
  unanswered: number
}

async function fetchFigures(serverId: string, signal: AbortSignal): Promise<OwnerFigures> {
  const [days, reviews] = await Promise.all([
    publicData
      .from('server_daily_counts')
      .select('day, votes, clicks, copies')
      .eq('server_id', serverId)
      .gte('day', daysAfter(siteToday(), -6))
      .order('day')
      .abortSignal(signal),
    publicData
      .from('reviews_public')
      .select('id', { count: 'exact', head: true })
      .eq('server_id', serverId)
      .is('answer', null)
      .abortSignal(signal),
  ])
  if (reviews.error !== null) throw toApiError(reviews.error, reviews.status)
  return { days: unwrap(days), unanswered: reviews.count ?? 0 }
}

/** The figures that owners look for first, refetched every minute. */
export const ownerFiguresQuery = (serverId: string) =>
  queryOptions({
    queryKey: reviewKeys.figures(serverId),
    queryFn: ({ signal }) => fetchFigures(serverId, signal),
    staleTime: STALE_TIME.recent,
    refetchInterval: 60_000,
  })
