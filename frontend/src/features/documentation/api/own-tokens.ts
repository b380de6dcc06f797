/** The tokens of one's own servers, so that the examples work as they are. */
import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

async function fetchTokens(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('servers_managed')
      .select('id, name, api_token')
      .eq('owner_id', userId)
      .order('created_at')
      .order('id')
      .abortSignal(signal),
  )
}

export const ownTokensQuery = (userId: string) =>
  queryOptions({
    queryKey: serverKeys.tokens(userId),
    queryFn: ({ signal }) => fetchTokens(userId, signal),
    staleTime: STALE_TIME.recent,
  })
