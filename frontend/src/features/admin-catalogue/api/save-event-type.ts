import { mutationOptions } from '@tanstack/react-query'
import { eventKeys } from '@/entities/event/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { EventTypeValues } from '../model/event-type'

/** Events follow a changed key. */
async function saveEventType({ key, values }: { key: string | null; values: EventTypeValues }): Promise<void> {
  const row = {
    key: values.key,
    name_fr: values.names.fr,
    name_en: values.names.en,
    name_es: values.names.es,
    icon: values.icon,
    color: values.colour,
    is_active: values.active,
  }
  const types = supabase.from('event_types')
  const request = key === null ? types.insert(row) : types.update(row).eq('key', key)
  const { error, status } = await request.select('key').single()
  if (error !== null) throw toApiError(error, status)
}

export const saveEventTypeMutation = () =>
  mutationOptions({
    mutationFn: saveEventType,
    meta: { invalidates: [eventKeys.all], done: 'admin-catalogue:eventTypes.saved' },
  })
