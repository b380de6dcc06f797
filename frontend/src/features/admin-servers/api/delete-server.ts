import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import { supabase } from '@/lib/api/supabase'

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
