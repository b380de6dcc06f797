import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import { supabase } from '@/lib/api/supabase'

async function deleteTag(id: string): Promise<void> {
  const { error, status } = await supabase.from('server_tags').delete().eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteTagMutation = () =>
  mutationOptions({
    mutationFn: deleteTag,
    meta: {
      invalidates: [keys.tags.all, keys.servers.all],
      done: 'admin-catalogue:tags.deleted',
      failed: 'admin-catalogue:tags.notDeleted',
    },
  })
