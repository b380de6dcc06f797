import { mutationOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** The new owner gets a new token, because the former owner knows the old one. */
async function reassignServer({ id, ownerId }: { id: string; ownerId: string }): Promise<void> {
  const { error, status } = await supabase.rpc('reassign_server', { p_server_id: id, p_owner_id: ownerId })
  if (error !== null) throw toApiError(error, status)
}

export const reassignServerMutation = () =>
  mutationOptions({
    mutationFn: reassignServer,
    meta: {
      invalidates: [serverKeys.all],
      done: 'admin-servers:done.owner',
      failed: 'admin-servers:notReassigned',
    },
  })
