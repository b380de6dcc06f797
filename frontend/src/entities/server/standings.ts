/**
 * Figures of servers in messages of realtime/v1, and how they change cached rows. Pure. A message
 * uses the column names, so a row takes the figures that it has.
 */

/** The figures of a server in a message. */
export interface Standing {
  id: string
  game_slug: string
  monthly_votes: number
  /** The month's votes before the new ones; null if there are no new votes. */
  votes_before: number | null
  total_votes: number
  daily_votes: number
  rank: number
  game_rank: number
  is_online: boolean
  online_players: number
  max_players: number
  status_checked_at: string | null
}

const STATUS = ['is_online', 'online_players', 'max_players', 'status_checked_at'] as const
const FIGURES = [...STATUS, 'monthly_votes', 'total_votes', 'daily_votes', 'rank', 'game_rank'] as const

/** The servers in a message; none if the payload is malformed. */
export function readStandings(payload: unknown): Standing[] {
  const servers = isRecord(payload) ? payload.servers : undefined
  return Array.isArray(servers) ? servers.filter(isStanding) : []
}

/** Whether a message says that votes were delivered to owners' receivers. */
export function hasDeliveries(payload: unknown): boolean {
  return isRecord(payload) && payload.delivered === true
}

function isStanding(value: unknown): value is Standing {
  return isRecord(value) && typeof value.id === 'string' && typeof value.monthly_votes === 'number'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Merges two updates of the same server: the later figures, with the new votes of both. */
export function mergeStandings(before: Standing | undefined, after: Standing): Standing {
  const votes = [before?.votes_before, after.votes_before].filter((one) => typeof one === 'number')
  return { ...after, votes_before: votes.length > 0 ? Math.min(...votes) : null }
}

/** The columns that rows with figures share. */
export interface Row {
  id: string
  monthly_votes: number
  rank?: number
  game_rank?: number
  games?: { slug?: string } | null
}

/** Whether the votes of a row are those of an event, which messages do not have. */
export interface Kind {
  onlyStatus: boolean
}

/**
 * Applies updates to rows in any container: a row, a list, a page of one, neighbors. Unchanged rows
 * keep their identity, so that they are not rendered again.
 */
export function updated<Data>(data: Data, standings: ReadonlyMap<string, Standing>, kind: Kind): Data {
  if (Array.isArray(data))
    return same(
      data,
      data.map((one: unknown) => updated(one, standings, kind)),
    ) as Data
  if (!isRecord(data)) return data
  if (typeof data.id === 'string' && typeof data.monthly_votes === 'number')
    return updatedRow(data as Record<string, unknown> & Row, standings, kind) as Data
  let next: Record<string, unknown> = data
  for (const [name, held] of Object.entries(data)) {
    const changed = updated(held, standings, kind)
    if (changed !== held) next = next === data ? { ...data, [name]: changed } : Object.assign(next, { [name]: changed })
  }
  return next as Data
}

function updatedRow(row: Record<string, unknown> & Row, standings: ReadonlyMap<string, Standing>, kind: Kind): Row {
  const standing = standings.get(row.id)
  if (standing === undefined) return kind.onlyStatus ? row : passedRow(row, standings)
  const changes = (kind.onlyStatus ? STATUS : FIGURES).filter((name) => name in row && row[name] !== standing[name])
  return changes.length === 0 ? row : { ...row, ...Object.fromEntries(changes.map((name) => [name, standing[name]])) }
}

/**
 * A row loses a place to each server that passed it: one that had as many votes or fewer before,
 * and has more now.
 */
function passedRow(row: Row, standings: ReadonlyMap<string, Standing>): Row {
  let [all, inGame] = [0, 0]
  for (const { votes_before: before, monthly_votes: votes, game_slug: game } of standings.values()) {
    if (before === null || before > row.monthly_votes || votes <= row.monthly_votes) continue
    all += 1
    if (game === row.games?.slug) inGame += 1
  }
  if (all === 0 || row.rank === undefined) return row
  return { ...row, rank: row.rank + all, ...(row.game_rank !== undefined && { game_rank: row.game_rank + inGame }) }
}

function same<One>(before: readonly One[], after: One[]): readonly One[] {
  return after.every((one, at) => one === before[at]) ? before : after
}

/** Compares two rows in the order of the ranking: by votes, then by id. */
export function byVotes(one: Row, other: Row): number {
  return other.monthly_votes - one.monthly_votes || (one.id < other.id ? -1 : 1)
}

/** Whether the rows are in another order by votes than before. */
export function isReordered(before: readonly Row[], after: readonly Row[]): boolean {
  const order = (rows: readonly Row[]): string =>
    rows
      .toSorted(byVotes)
      .map(({ id }) => id)
      .join()
  return order(before) !== order(after)
}
