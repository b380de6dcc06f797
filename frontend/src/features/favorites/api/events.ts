import type { QueryData } from '@supabase/supabase-js'
import { queryOptions } from '@tanstack/react-query'
import { eventKeys } from '@/entities/event/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'

/** As many as an address has room for. */
const AT_ONCE = 80

const COLUMNS = 'id,server_id,title_fr,title_en,title_es,start_date,end_date,created_at,event_types(color)' as const

const selectEvents = () => publicData.from('server_events').select(COLUMNS)

/** What a favourite announces; titles as stored. */
export type FavoriteEvent = QueryData<ReturnType<typeof selectEvents>>[number]

/** What is on or announced at these servers, the soonest first. */
export const favoriteEventsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: eventKeys.ofFavorites(ids),
    queryFn: ({ signal }) => fetchEvents(ids.slice(0, AT_ONCE), signal),
    enabled: ids.length > 0,
    staleTime: 60_000,
  })

async function fetchEvents(ids: readonly string[], signal: AbortSignal): Promise<FavoriteEvent[]> {
  const now = new Date().toISOString()
  const running = selectEvents()
    .in('server_id', [...ids])
    .eq('is_active', true)
    .gt('end_date', now)
  return unwrap(await running.order('start_date').abortSignal(signal))
}
