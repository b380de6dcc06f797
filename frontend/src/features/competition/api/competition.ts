import { queryOptions } from '@tanstack/react-query'
import { competitionKeys } from '@/entities/competition/keys'
import { unwrap, unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** How many places are shown. */
const SHOWN = 100
/** Enough for the ten leaders over a hundred days. */
const DAYS = 1000

/**
 * An event with its games, the places in it, and the places of each day; null if it does not exist.
 */
export const competitionQuery = (id: string) =>
  queryOptions({
    queryKey: competitionKeys.of(id),
    queryFn: ({ signal }) => fetchCompetition(id, signal),
    staleTime: STALE_TIME.recent,
    refetchInterval: 60_000,
  })

async function fetchCompetition(id: string, signal: AbortSignal) {
  const [event, games, standings, days] = await Promise.all([
    publicData
      .from('competitive_events')
      .select(
        'id,name,name_fr,name_en,name_es,description,description_fr,description_en,description_es,start_date,end_date,is_finished,is_success,finished_at,finished_by,total_votes,target_votes,winner_count,prestige_days,game_ids',
      )
      .eq('id', id)
      .eq('is_active', true)
      .abortSignal(signal)
      .maybeSingle(),
    publicData.from('games').select('id,name').order('name').abortSignal(signal),
    publicData
      .from('competitive_event_standings')
      .select('server_id,place,votes_count,prize_days,name,slug,logo_image_url,game_name')
      .eq('event_id', id)
      .order('place')
      .limit(SHOWN)
      .abortSignal(signal),
    publicData
      .from('competitive_event_places')
      .select('day,server_id,place,votes_count')
      .eq('event_id', id)
      .order('day')
      .order('place')
      .limit(DAYS)
      .abortSignal(signal),
  ])
  const found = unwrapOptional(event)
  if (found === null) return null
  const taken = new Set(found.game_ids)
  return {
    event: found,
    /** The names of the participating games; empty for all. */
    games: unwrap(games).flatMap((game) => (taken.has(game.id) ? [game.name] : [])),
    standings: unwrap(standings),
    days: unwrap(days),
  }
}

export type Competition = NonNullable<Awaited<ReturnType<typeof fetchCompetition>>>
export type Contest = Competition['event']
export type Standing = Competition['standings'][number]
export type DayPlace = Competition['days'][number]
