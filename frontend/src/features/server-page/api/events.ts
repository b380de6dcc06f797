import { queryOptions } from '@tanstack/react-query'
import { eventKeys } from '@/entities/event/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { PageEvent } from '../model/events'

/** A server's active events, newest first; the page filters them. */
export const eventsQuery = (serverId: string) =>
  queryOptions({
    queryKey: eventKeys.ofServer(serverId),
    queryFn: async ({ signal }): Promise<PageEvent[]> =>
      unwrap(
        await publicData
          .from('server_events')
          .select(
            `id, title_fr, title_en, title_es, description_fr, description_en, description_es, start_date, end_date,
            event_types(name_fr, name_en, name_es, color)`,
          )
          .eq('server_id', serverId)
          .eq('is_active', true)
          .order('created_at', { ascending: false })
          .abortSignal(signal),
      ),
    staleTime: STALE_TIME.steady,
  })
