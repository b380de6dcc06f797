import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { daysAfter, siteToday } from '@/lib/time/site-day'

/** The number of days, today included. */
export const STATUS_DAYS = 30

/**
 * The status of a server on each of the last thirty days, the oldest first. A row's `hours` are the
 * maxima of each hour.
 */
export const statusDaysQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.status(serverId),
    queryFn: async ({ signal }) => {
      const answer = await publicData
        .from('server_status_days')
        .select('day, method, watched_seconds, up_seconds, told, players_sum, peak_players, hours')
        .eq('server_id', serverId)
        .gte('day', daysAfter(siteToday(), 1 - STATUS_DAYS))
        .order('day')
        .abortSignal(signal)
      return unwrap(answer)
    },
    staleTime: STALE_TIME.settled,
  })

export type StatusDay = Awaited<ReturnType<NonNullable<ReturnType<typeof statusDaysQuery>['queryFn']>>>[number]
