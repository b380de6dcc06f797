import { unwrap, unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { PAGE_SIZE } from '../model/list-state'
import { selectWanted, type ServerPage, type ServerListRequest } from './servers'

/** At most so many ids fit into an address; the matching servers are then paginated. */
const TAKING_PART = 100

/** The places at the start of the day are those of the regular ranking. */
const UNMOVED = { day_rank: null, day_game_rank: null }

interface Participation {
  server_id: string
  place: number | null
  votes_count: number
}

/**
 * A page of the participants in the running event that match the request, by their places in it;
 * empty if no event is running. Each keeps its place among all participants, and a page past the
 * end is the last one.
 */
export async function fetchCompetitiveServers(request: ServerListRequest, signal: AbortSignal): Promise<ServerPage> {
  const now = new Date().toISOString()
  const running = await publicData
    .from('competitive_events')
    .select('id,name,name_fr,name_en,name_es')
    .eq('is_active', true)
    .eq('is_finished', false)
    .lte('start_date', now)
    .gt('end_date', now)
    .order('start_date')
    .limit(1)
    .abortSignal(signal)
    .maybeSingle()
  const event = unwrapOptional(running)
  if (event === null) return { rows: [], count: 0, page: 1, noEvent: true }
  const leading = unwrap(
    await publicData
      .from('competitive_event_standings')
      .select('server_id,place,votes_count')
      .eq('event_id', event.id)
      .order('place')
      .limit(TAKING_PART)
      .abortSignal(signal),
  )
  return { ...(await withServers(leading, request, signal)), event }
}

async function withServers(
  leading: Participation[],
  request: ServerListRequest,
  signal: AbortSignal,
): Promise<ServerPage> {
  if (leading.length === 0) return { rows: [], count: 0, page: 1 }
  const servers = unwrap(
    await selectWanted(request, false)
      .in(
        'id',
        leading.map((entry) => entry.server_id),
      )
      .abortSignal(signal),
  )
  const byId = new Map(servers.map((server) => [server.id, server]))
  const fitting = leading.flatMap((entry) => {
    const server = byId.get(entry.server_id)
    if (server === undefined) return []
    return [
      { ...server, monthly_votes: entry.votes_count, rank: entry.place ?? 0, game_rank: entry.place ?? 0, ...UNMOVED },
    ]
  })
  const page = Math.min(request.page, Math.max(1, Math.ceil(fitting.length / PAGE_SIZE)))
  return { rows: fitting.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), count: fitting.length, page }
}
