import { queryOptions } from '@tanstack/react-query'
import { voteKeys } from '@/entities/vote/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

/** How many votes the account has ever cast, old ones that are no longer kept included. */
export const totalQuery = (userId: string) =>
  queryOptions({
    queryKey: voteKeys.total(userId),
    queryFn: ({ signal }) => fetchTotal(userId, signal),
    staleTime: STALE_TIME.recent,
  })

async function fetchTotal(userId: string, signal: AbortSignal): Promise<number> {
  const answer = await supabase.from('profiles').select('total_votes').eq('id', userId).abortSignal(signal).single()
  return unwrap(answer).total_votes
}
