import { queryOptions } from '@tanstack/react-query'
import { voteKeys } from '@/entities/vote/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

/** The number of all votes of the account, including old ones that were deleted. */
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
