/** Whether visitors see a server: its states, who may change them, and the mutation. */
import { mutationOptions } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { toApiError } from '@/lib/api/errors'
import { optimistically } from '@/lib/query/optimistic'
import { serverKeys } from './keys'

interface VisibilityState {
  is_hidden: boolean
  is_approved: boolean
  hidden_reason: string | null
}

export type Visibility = 'visible' | 'hidden' | 'waiting' | 'moderated' | 'lapsed' | 'closed'

export function visibilityOf({ is_hidden, is_approved, hidden_reason }: VisibilityState): Visibility {
  if (!is_hidden) return is_approved ? 'visible' : 'waiting'
  if (hidden_reason === 'moderation') return 'moderated'
  if (hidden_reason === 'game_closed') return 'closed'
  return hidden_reason === 'bonus_expired' ? 'lapsed' : 'hidden'
}

/**
 * Owners may show a server that they hid themselves, or that exceeded the limit once there is room
 * again.
 */
export function mayShow(visibility: Visibility): boolean {
  return visibility === 'hidden' || visibility === 'lapsed'
}

interface VisibilityChange {
  id: string
  /** The user whose list of servers shows the change at once. */
  userId: string
  /** The displayed name, for the toast. */
  name: string
  isVisible: boolean
}

/** The client is loaded lazily: a server's page is shown without it. */
async function setVisibility({ id, isVisible }: VisibilityChange): Promise<void> {
  const { supabase } = await import('@/lib/api/supabase')
  const { error, status } = await supabase.rpc('set_server_visibility', { p_server_id: id, p_visible: isVisible })
  if (error !== null) throw toApiError(error, status)
}

type Row = Pick<VisibilityState, 'is_hidden' | 'hidden_reason'> & { id: string }

/**
 * Hides a server from the ranking, or shows it again. The database refuses to override a
 * moderator's decision or the limit.
 */
export const setVisibilityMutation = () =>
  mutationOptions({
    mutationFn: setVisibility,
    ...optimistically<Row[], VisibilityChange>(
      ({ userId }) => serverKeys.own(userId),
      (servers, { id, isVisible }) =>
        servers.map((server) =>
          server.id === id ? { ...server, is_hidden: !isVisible, hidden_reason: isVisible ? null : 'owner' } : server,
        ),
    ),
    meta: {
      // Games count their visible servers.
      invalidates: [serverKeys.all, gameKeys.all],
      waits: true,
      done: (_: void, { isVisible, name }: VisibilityChange) => ({
        title: isVisible ? 'visibility:shown' : 'visibility:nowHidden',
        text: { plain: name },
      }),
      failed: 'visibility:notChanged',
      refusals: { server_limit_reached: 'visibility:limit' },
    },
  })
