import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/errors'
import { keys } from '@/lib/query-keys'
import { supabase } from '@/lib/supabase'

async function deleteServer(id: string): Promise<void> {
  const { error, status } = await supabase.from('servers').delete().eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteServerMutation = () =>
  mutationOptions({
    mutationFn: deleteServer,
    meta: {
      invalidates: [keys.servers.all, keys.waiting.own],
      done: 'admin-servers:done.delete',
      failed: 'admin-servers:notDeleted',
    },
  })
