/** What moderators told the person and have not withdrawn. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { profileKeys } from './keys'

async function fetchWarnings(userId: string) {
  return unwrap(
    await supabase
      .from('user_warnings')
      .select('id, reason, created_at, expires_at, servers(name)')
      .eq('user_id', userId)
      .eq('is_active', true)
      .order('created_at', { ascending: false }),
  )
}

export const warningsQuery = (userId: string) =>
  queryOptions({ queryKey: profileKeys.warnings(userId), queryFn: () => fetchWarnings(userId), staleTime: 60_000 })
