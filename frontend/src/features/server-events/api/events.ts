/** The events of a server, for its owner and for moderators. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { eventKeys } from '@/entities/event/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Refusals } from '@/lib/i18n/refusal'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { EventValues } from '../model/event'

async function fetchEvents(serverId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('server_events')
      .select(
        `id, event_type_key, title_fr, title_en, title_es, description_fr, description_en, description_es, start_date,
        end_date, event_types(name_fr, name_en, name_es, color)`,
      )
      .eq('server_id', serverId)
      .eq('is_active', true)
      .order('created_at', { ascending: false })
      .abortSignal(signal),
  )
}

/** Texts as stored. */
export type OwnEvent = Awaited<ReturnType<typeof fetchEvents>>[number]

/** All events that are not deleted, including past ones. */
export const eventsQuery = (serverId: string) =>
  queryOptions({
    queryKey: eventKeys.edited(serverId),
    queryFn: ({ signal }) => fetchEvents(serverId, signal),
    staleTime: STALE_TIME.recent,
  })

async function fetchTypes(signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('event_types')
      .select('key, name_fr, name_en, name_es')
      .eq('is_active', true)
      .order('name_fr')
      .abortSignal(signal),
  )
}

export type EventType = Awaited<ReturnType<typeof fetchTypes>>[number]

/** The types of events. */
export const typesQuery = () =>
  queryOptions({
    queryKey: eventKeys.types,
    queryFn: ({ signal }) => fetchTypes(signal),
    staleTime: STALE_TIME.settled,
  })

interface SavedEvent {
  serverId: string
  /** The id of the changed event; null for a new one. */
  id: string | null
  values: EventValues
}

async function saveEvent({ serverId, id, values }: SavedEvent): Promise<void> {
  const { type, title, start, end, description } = values
  const row = {
    event_type_key: type,
    start_date: start,
    end_date: end,
    // Empty texts are stored as null, so that readers see another language.
    title_fr: title.fr || null,
    title_en: title.en || null,
    title_es: title.es || null,
    description_fr: description.fr || null,
    description_en: description.en || null,
    description_es: description.es || null,
  }
  const events = supabase.from('server_events')
  const { error, status } = await (id === null
    ? events.insert({ server_id: serverId, ...row })
    : events.update(row).eq('id', id).select('id').single())
  if (error !== null) throw toApiError(error, status)
}

/** The code of the refusal when a server has the maximum number of events. */
export const EVENT_REFUSALS: Refusals = { P0001: 'server-events:refusal.limit' }

/** The form shows refusals; a toast confirms success. */
export const saveEventMutation = () =>
  mutationOptions({
    mutationFn: saveEvent,
    meta: {
      invalidates: [eventKeys.all],
      waits: true,
      done: (_: void, { id }: SavedEvent) => ({
        title: id === null ? 'server-events:created' : 'server-events:changed',
      }),
    },
  })

/** Deletion sets the event inactive. */
async function deleteEvent(id: string): Promise<void> {
  const { error, status } = await supabase
    .from('server_events')
    .update({ is_active: false })
    .eq('id', id)
    .select('id')
    .single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteEventMutation = () =>
  mutationOptions({
    mutationFn: deleteEvent,
    meta: {
      invalidates: [eventKeys.all],
      waits: true,
      done: 'server-events:deleted',
      failed: 'server-events:notDeleted',
    },
  })
