import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/errors'
import { keys } from '@/lib/query-keys'
import { supabase } from '@/lib/supabase'

interface VisibilityChange {
  id: string
  isVisible: boolean
}

async function setVisibility({ id, isVisible }: VisibilityChange): Promise<void> {
  const { error, status } = await supabase.rpc('set_server_visibility', { p_server_id: id, p_visible: isVisible })
  if (error !== null) throw toApiError(error, status)
}

/** Takes a server out of the ranking, or puts it back: past a moderator's decision or the limit nobody gets. */
export const visibilityMutation = () =>
  mutationOptions({
    mutationFn: setVisibility,
    meta: {
      invalidates: [keys.servers.all, keys.games.all],
      waits: true,
      done: (_: void, { isVisible }: VisibilityChange) => ({
        title: isVisible ? 'own-server:visibility.shown' : 'own-server:visibility.nowHidden',
      }),
      failed: 'own-server:visibility.failed',
    },
  })
