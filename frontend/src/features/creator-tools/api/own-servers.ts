/** The person's servers that anybody may see: others have no widget. */
import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

async function fetchServers(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('servers')
      .select('id, name')
      .eq('owner_id', userId)
      .eq('is_approved', true)
      .eq('is_hidden', false)
      .order('created_at')
      .order('id')
      .abortSignal(signal),
  )
}

export type ShownServer = Awaited<ReturnType<typeof fetchServers>>[number]

export const shownServersQuery = (userId: string) =>
  queryOptions({
    queryKey: serverKeys.shown(userId),
    queryFn: ({ signal }) => fetchServers(userId, signal),
    staleTime: 30_000,
  })
