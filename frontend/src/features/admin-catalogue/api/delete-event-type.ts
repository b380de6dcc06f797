import { mutationOptions } from '@tanstack/react-query'
import { eventKeys } from '@/entities/event/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Refused while an event has this type. */
async function deleteEventType(key: string): Promise<void> {
  const { error, status } = await supabase.from('event_types').delete().eq('key', key).select('key').single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteEventTypeMutation = () =>
  mutationOptions({
    mutationFn: deleteEventType,
    meta: {
      invalidates: [eventKeys.all],
      done: 'admin-catalogue:eventTypes.deleted',
      failed: 'admin-catalogue:eventTypes.notDeleted',
      refusals: { '23503': 'admin-catalogue:eventTypes.used' },
    },
  })
