import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/errors'
import { keys } from '@/lib/query-keys'

async function showServer(id: string): Promise<void> {
  const { supabase } = await import('@/lib/supabase')
  const { error, status } = await supabase.rpc('set_server_visibility', { p_server_id: id, p_visible: true })
  if (error !== null) throw toApiError(error, status)
}

/** Puts a server its owner hid back into the ranking. */
export const showServerMutation = () =>
  mutationOptions({
    mutationFn: showServer,
    meta: {
      invalidates: [keys.servers.all],
      waits: true,
      done: 'server-page:hidden.shown',
      failed: (error) => ({
        title: 'server-page:hidden.notShown',
        text: error.message === 'Server limit reached' ? 'server-page:hidden.limit' : 'errors:server',
      }),
    },
  })
