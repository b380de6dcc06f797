import { queryOptions } from '@tanstack/react-query'
import { voteKeys } from '@/entities/vote/keys'
import type { Period } from '@/entities/vote/own-place'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** How many voters are shown. */
const SHOWN = 50

export interface Leader {
  rank: number
  voter_name: string
  votes_count: number
  /** A guest, known only by a nickname that anybody may type. */
  is_guest: boolean
  /** The role of an administrator or moderator. */
  role: string | null
}

export const leadersQuery = (period: Period) =>
  queryOptions({
    queryKey: voteKeys.leadersOf(period),
    queryFn: ({ signal }) => fetchLeaders(period, signal),
    staleTime: STALE_TIME.recent,
  })

async function fetchLeaders(period: Period, signal: AbortSignal): Promise<Leader[]> {
  return unwrap(
    await publicData
      .rpc('get_leaderboard', { p_period: period, p_limit: SHOWN }, { get: true })
      .select('rank,voter_name,votes_count,is_guest,role')
      .abortSignal(signal),
  )
}
