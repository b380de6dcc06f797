/** Where the person stands among those who vote most: asked by their pages and by the dialog that has just moved them. */
import { queryOptions } from '@tanstack/react-query'
import { unwrapOptional } from '@/lib/api/errors'
import { STALE_TIME } from '@/lib/query/stale-times'
import { voteKeys } from './keys'

/** Over which time votes are counted. */
export type Period = 'day' | 'week' | 'month'

export interface OwnPlace {
  /** Null far behind, where places are not counted. */
  rank: number | null
  voter_name: string
  votes_count: number
  /** Who stands right before; null before the first. */
  next_name: string | null
  next_votes: number | null
}

/** Null where they have not voted in the period. */
export const ownPlaceQuery = (userId: string, period: Period) =>
  queryOptions({
    queryKey: voteKeys.place(userId, period),
    queryFn: ({ signal }) => fetchOwnPlace(period, signal),
    staleTime: STALE_TIME.recent,
  })

async function fetchOwnPlace(period: Period, signal: AbortSignal): Promise<OwnPlace | null> {
  // Guests, who are on those pages as well, are spared the code for sessions.
  const { supabase } = await import('@/lib/api/supabase')
  const asked = supabase.rpc('get_my_place', { p_period: period }, { get: true })
  return unwrapOptional(await asked.abortSignal(signal).maybeSingle())
}
