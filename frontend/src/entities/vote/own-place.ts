/** The person's place in the ranking of voters, for its pages and for the dialog after a vote. */
import { queryOptions } from '@tanstack/react-query'
import { unwrapOptional } from '@/lib/api/errors'
import { STALE_TIME } from '@/lib/query/stale-times'
import { voteKeys } from './keys'

/** The period in which votes are counted. */
export type Period = 'day' | 'week' | 'month'

export interface OwnPlace {
  /** Null far behind, where places are not computed. */
  rank: number | null
  voter_name: string
  votes_count: number
  /** The name of the person one place ahead; null for the first. */
  next_name: string | null
  next_votes: number | null
}

/** Null for a person who has not voted in the period. */
export const ownPlaceQuery = (userId: string, period: Period) =>
  queryOptions({
    queryKey: voteKeys.place(userId, period),
    queryFn: ({ signal }) => fetchOwnPlace(period, signal),
    staleTime: STALE_TIME.recent,
  })

async function fetchOwnPlace(period: Period, signal: AbortSignal): Promise<OwnPlace | null> {
  // Guests also open those pages, and should not load the code for sessions.
  const { supabase } = await import('@/lib/api/supabase')
  const request = supabase.rpc('get_my_place', { p_period: period }, { get: true })
  return unwrapOptional(await request.abortSignal(signal).maybeSingle())
}
