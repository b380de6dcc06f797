/** The person's own servers, whatever their state. */
import { queryOptions } from '@tanstack/react-query'
import { toApiError, unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { profileKeys } from './keys'

async function fetchServers(userId: string) {
  return unwrap(
    await supabase
      .from('servers')
      .select(
        'id, slug, name, logo_image_url, is_approved, is_hidden, hidden_reason, is_sponsored, prestige_expires_at, monthly_votes, games(name)',
      )
      .eq('owner_id', userId)
      .order('created_at')
      .order('id'),
  )
}

export type OwnServer = Awaited<ReturnType<typeof fetchServers>>[number]

export const serversQuery = (userId: string) =>
  queryOptions({ queryKey: profileKeys.servers(userId), queryFn: () => fetchServers(userId), staleTime: 30_000 })

export async function setVisibility({ id, isVisible }: { id: string; isVisible: boolean }): Promise<void> {
  const { error, status } = await supabase.rpc('set_server_visibility', { p_server_id: id, p_visible: isVisible })
  if (error !== null) throw toApiError(error, status)
}
