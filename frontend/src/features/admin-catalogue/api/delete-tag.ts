import { mutationOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { tagKeys } from '@/entities/tag/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

async function deleteTag(id: string): Promise<void> {
  const { error, status } = await supabase.from('server_tags').delete().eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteTagMutation = () =>
  mutationOptions({
    mutationFn: deleteTag,
    meta: {
      invalidates: [tagKeys.all, serverKeys.all],
      done: 'admin-catalogue:tags.deleted',
      failed: 'admin-catalogue:tags.notDeleted',
    },
  })
