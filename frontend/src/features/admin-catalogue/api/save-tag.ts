import { mutationOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { tagKeys } from '@/entities/tag/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { TagValues } from '../model/tag'

/** Saves a tag with its texts in three languages; servers keep a renamed tag. */
async function saveTag({ id, values }: { id: string | null; values: TagValues }): Promise<void> {
  const row = {
    name: values.name,
    color: values.colour,
    name_fr: values.names.fr,
    name_en: values.names.en,
    name_es: values.names.es,
    description: values.description.fr || null,
    description_fr: values.description.fr || null,
    description_en: values.description.en || null,
    description_es: values.description.es || null,
  }
  const tags = supabase.from('server_tags')
  const request = id === null ? tags.insert(row) : tags.update(row).eq('id', id)
  const { error, status } = await request.select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const saveTagMutation = () =>
  mutationOptions({
    mutationFn: saveTag,
    meta: { invalidates: [tagKeys.all, serverKeys.all], done: 'admin-catalogue:tags.saved' },
  })
