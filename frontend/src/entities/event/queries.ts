/** Events of servers, as lists of servers show them. */
import type { QueryData } from '@supabase/supabase-js'
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { eventKeys } from './keys'

/** As many ids as fit into an address. */
const AT_ONCE = 80

const COLUMNS = 'id,server_id,title_fr,title_en,title_es,start_date,end_date,created_at,event_types(color)' as const

const selectEvents = () => publicData.from('server_events').select(COLUMNS)

/** Titles as stored. */
export type ServerEvent = QueryData<ReturnType<typeof selectEvents>>[number]

/** Events of the given servers that have not ended, the next one first. */
export const serverEventsQuery = (serverIds: readonly string[]) =>
  queryOptions({
    queryKey: eventKeys.ofServers(serverIds),
    queryFn: ({ signal }) => fetchEvents(serverIds.slice(0, AT_ONCE), signal),
    enabled: serverIds.length > 0,
    staleTime: STALE_TIME.steady,
  })

async function fetchEvents(serverIds: readonly string[], signal: AbortSignal): Promise<ServerEvent[]> {
  const unended = selectEvents()
    .in('server_id', [...serverIds])
    .eq('is_active', true)
    .gt('end_date', new Date().toISOString())
  return unwrap(await unended.order('start_date').abortSignal(signal))
}
