import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import { supabase } from '@/lib/api/supabase'

/** The new owner gets a new token: the former one knew the old. */
async function reassignServer({ id, ownerId }: { id: string; ownerId: string }): Promise<void> {
  const { error, status } = await supabase.rpc('reassign_server', { p_server_id: id, p_owner_id: ownerId })
  if (error !== null) throw toApiError(error, status)
}

export const reassignServerMutation = () =>
  mutationOptions({
    mutationFn: reassignServer,
    meta: { invalidates: [keys.servers.all], done: 'admin-servers:done.owner' },
  })
