/** Security events that pages and the database recorded, the newest first. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { securityKeys } from '@/entities/security/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'type' | 'origin'>

function select({ filters }: TableRequest, signal: AbortSignal) {
  let query = supabase
    .from('security_events')
    .select('id, created_at, event_type, event_data, origin, profiles(username)', { count: 'exact' })
  if (filters.type !== '') query = query.eq('event_type', filters.type)
  if (filters.origin !== '') query = query.eq('origin', filters.origin)
  return query.abortSignal(signal)
}

const fetchEvents = (request: TableRequest, signal: AbortSignal) =>
  fetchTablePage(() => select(request, signal), request)
export type SecurityEvent = Awaited<ReturnType<typeof fetchEvents>>['rows'][number]

export const securityEventsQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: securityKeys.events(request),
    queryFn: ({ signal }) => fetchEvents(request, signal),
    placeholderData: keepPreviousData,
  })

/** The existing types of events. */
export const eventTypesQuery = () =>
  queryOptions({
    queryKey: securityKeys.types,
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('get_security_event_types').abortSignal(signal)),
  })
