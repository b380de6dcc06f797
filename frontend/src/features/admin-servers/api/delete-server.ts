import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

async function deleteServer(id: string): Promise<void> {
  const { error, status } = await supabase.from('servers').delete().eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteServerMutation = () =>
  mutationOptions({
    mutationFn: deleteServer,
    meta: {
      invalidates: [serverKeys.all, moderationKeys.pending],
      done: 'admin-servers:done.delete',
      failed: 'admin-servers:notDeleted',
    },
  })
