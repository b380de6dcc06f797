import { queryOptions } from '@tanstack/react-query'
import { competitionKeys } from '@/entities/competition/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { eventToShow, type CompetitiveEvent, type Participant } from '../model/competitive-event'

const LEADERS = 10

/** The event to announce with its ten leaders; null if there is none. */
export const competitiveEventQuery = () =>
  queryOptions({
    queryKey: competitionKeys.announced,
    queryFn: fetchCompetitiveEvent,
    staleTime: STALE_TIME.recent,
    refetchInterval: 60_000,
  })

export interface AnnouncedEvent {
  event: CompetitiveEvent
  leaders: Participant[]
}

async function fetchCompetitiveEvent({ signal }: { signal: AbortSignal }): Promise<AnnouncedEvent | null> {
  const ofLeaders = { referencedTable: 'leaders' }
  const events = unwrap(
    await publicData
      .from('competitive_events')
      .select(
        'id,name,name_fr,name_en,name_es,start_date,end_date,is_active,is_finished,is_success,total_votes,target_votes,winner_count,prestige_days,leaders:competitive_event_standings(server_id,votes_count,prize_days,name,slug,logo_image_url)',
      )
      .eq('is_active', true)
      // Evaluated by the database; which event is announced is decided here, to the minute.
      .gte('end_date', 'yesterday')
      .order('start_date', { ascending: false })
      .limit(20)
      .order('place', ofLeaders)
      .limit(LEADERS, ofLeaders)
      .abortSignal(signal),
  )
  const found = eventToShow(events, Date.now())
  if (found === undefined) return null
  const { leaders, ...event } = found
  return { event, leaders }
}
