import { unwrap, unwrapOptional } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import { selectWanted, type ServerPage, type ServersWanted } from './servers'

/** As many as are asked for by name; of them the first ten that fit are shown. */
const TAKING_PART = 100
const SHOWN = 10

interface Participation {
  server_id: string
  votes_count: number
}

/**
 * The first ten of the running event that fit what is wanted, by the event's own votes; empty when none is running.
 * Each keeps its place among all who take part.
 */
export async function fetchCompetitiveServers(wanted: ServersWanted, signal: AbortSignal): Promise<ServerPage> {
  const now = new Date().toISOString()
  const running = await publicData
    .from('competitive_events')
    .select('id')
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
      .from('competitive_event_participations')
      .select('server_id,votes_count')
      .eq('event_id', event.id)
      .order('votes_count', { ascending: false })
      .order('server_id')
      .limit(TAKING_PART)
      .abortSignal(signal),
  )
  return withServers(leading, wanted, signal)
}

async function withServers(leading: Participation[], wanted: ServersWanted, signal: AbortSignal): Promise<ServerPage> {
  if (leading.length === 0) return { rows: [], count: 0, page: 1 }
  const servers = unwrap(
    await selectWanted(wanted, false)
      .in(
        'id',
        leading.map((entry) => entry.server_id),
      )
      .abortSignal(signal),
  )
  const byId = new Map(servers.map((server) => [server.id, server]))
  const fitting = leading.flatMap((entry, index) => {
    const server = byId.get(entry.server_id)
    if (server === undefined) return []
    return [{ ...server, monthly_votes: entry.votes_count, rank: index + 1, game_rank: index + 1 }]
  })
  const rows = fitting.slice(0, SHOWN)
  return { rows, count: rows.length, page: 1 }
}
