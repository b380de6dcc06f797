/** The person's warnings that were not withdrawn. */
import { queryOptions } from '@tanstack/react-query'
import { profileKeys } from '@/entities/profile/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

async function fetchWarnings(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('user_warnings')
      .select('id, reason, created_at, expires_at, servers(name)')
      .eq('user_id', userId)
      .eq('is_active', true)
      .order('created_at', { ascending: false })
      .abortSignal(signal),
  )
}

export const warningsQuery = (userId: string) =>
  queryOptions({
    queryKey: profileKeys.warnings(userId),
    queryFn: ({ signal }) => fetchWarnings(userId, signal),
    staleTime: STALE_TIME.steady,
  })
