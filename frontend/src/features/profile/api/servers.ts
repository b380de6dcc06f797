/** The person's own servers, whatever their state. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { toApiError, unwrap } from '@/lib/errors'
import { optimistically } from '@/lib/optimistic'
import { keys } from '@/lib/query-keys'
import { supabase } from '@/lib/supabase'

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

export const serversQuery = (userId: string) =>
  queryOptions({
    queryKey: keys.servers.own(userId),
    queryFn: ({ signal }) => fetchServers(userId, signal),
    staleTime: 30_000,
  })

interface VisibilityChange {
  id: string
  userId: string
  /** As shown, for the word about it. */
  name: string
  isVisible: boolean
}

async function setVisibility({ id, isVisible }: VisibilityChange): Promise<void> {
  const { error, status } = await supabase.rpc('set_server_visibility', { p_server_id: id, p_visible: isVisible })
  if (error !== null) throw toApiError(error, status)
}

/** Shown in the list at once, and taken back when refused. */
export const setVisibilityMutation = () =>
  mutationOptions({
    mutationFn: setVisibility,
    ...optimistically<OwnServer[], VisibilityChange>(
      ({ userId }) => keys.servers.own(userId),
      (servers, { id, isVisible }) =>
        servers.map((server) =>
          server.id === id ? { ...server, is_hidden: !isVisible, hidden_reason: isVisible ? null : 'owner' } : server,
        ),
    ),
    meta: {
      invalidates: [keys.servers.all],
      waits: true,
      done: (_: void, { isVisible, name }: VisibilityChange) => ({
        title: isVisible ? 'profile:servers.shown' : 'profile:servers.nowHidden',
        text: { plain: name },
      }),
      failed: 'profile:servers.notChanged',
      // Raised where no more servers may be shown at once.
      refusals: { P0001: 'profile:refusal.limit' },
    },
  })
