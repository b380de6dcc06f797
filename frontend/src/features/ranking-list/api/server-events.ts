import { queryOptions } from '@tanstack/react-query'
import { eventKeys } from '@/entities/event/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { ServerEvent } from '../model/server-events'

/** Events of the given servers that have not ended, the next one first. */
export const serverEventsQuery = (serverIds: readonly string[]) =>
  queryOptions({
    queryKey: eventKeys.ofServers(serverIds),
    queryFn: ({ signal }) => fetchServerEvents(serverIds, signal),
    staleTime: 60_000,
  })

async function fetchServerEvents(serverIds: readonly string[], signal: AbortSignal): Promise<ServerEvent[]> {
  return unwrap(
    await publicData
      .from('server_events')
      .select('id,server_id,title_fr,title_en,title_es,start_date,end_date,event_types(color)')
      .in('server_id', [...serverIds])
      .eq('is_active', true)
      .gt('end_date', new Date().toISOString())
      .order('start_date')
      .abortSignal(signal),
  )
}
