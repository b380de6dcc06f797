/** The person's own servers, in any state. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'
import { serverKeys } from './keys'

async function fetchServers(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('servers_managed')
      .select(
        'id, slug, name, logo_image_url, is_approved, is_hidden, hidden_reason, is_sponsored, prestige_expires_at, shows_prestige, monthly_votes, games(name)',
      )
      .eq('owner_id', userId)
      .order('created_at')
      .order('id')
      .abortSignal(signal),
  )
}

export type OwnServer = Awaited<ReturnType<typeof fetchServers>>[number]

export const ownServersQuery = (userId: string) =>
  queryOptions({
    queryKey: serverKeys.own(userId),
    queryFn: ({ signal }) => fetchServers(userId, signal),
    staleTime: STALE_TIME.recent,
  })
