/** What moderators told the person and have not withdrawn. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import { supabase } from '@/lib/api/supabase'

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
    queryKey: keys.warnings.own(userId),
    queryFn: ({ signal }) => fetchWarnings(userId, signal),
    staleTime: 60_000,
  })
