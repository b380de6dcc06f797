/**
 * Live figures of servers: messages are written into the cache, once a second at most. Lists keep
 * their order while they are in use. Rows that were read after a message already include it.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import { deliveryKeys } from '@/entities/delivery/keys'
import { voteKeys } from '@/entities/vote/keys'
import { animateMoves } from '@/lib/live/animate-moves'
import type { Feed } from '@/lib/live/feed'
import { heldMove } from '@/lib/live/held-move'
import { isInUse } from '@/lib/live/in-use'
import { createPainter } from '@/lib/live/painter'
import { OWN } from '@/lib/query/own-rows'
import { LIST_ID } from '@/lib/routing/list-anchor'
import { serverKeys } from './keys'
import {
  byVotes,
  isReordered,
  mergeStandings,
  readStandings,
  hasDeliveries,
  updated,
  type Row,
  type Standing,
} from './standings'

const RANKING = 'ranking'
const ofServer = (id: unknown): string => `server:${String(id)}`

/** Queries that show many servers, and queries that show one. */
const LISTS = new Set(['list', 'podium', 'favorites'])
const PAGES = new Set(['stats', 'history', 'neighbours', 'place'])

/**
 * Milliseconds before a list is read again because servers enter or leave it; delayed at random, so
 * that browsers do not all read at once.
 */
const REREAD = 15_000
const SPREAD = 10_000

interface PendingUpdate {
  standing: Standing
  /** When the first message of the server arrived; rows that were read later include it. */
  at: number
}
type PendingUpdates = ReadonlyMap<string, PendingUpdate>

const NONE: PendingUpdates = new Map()

const list = (): Element | null => document.getElementById(LIST_ID)

export function serverFeed(
  queries: QueryClient,
  isListInUse = () => isInUse(list()),
  beforeMove = () => animateMoves(list()),
): Feed {
  let updates = new Map<string, PendingUpdate>()
  /** Pending updates of lists in use, by the hash of their query. */
  let held = new Map<string, PendingUpdates>()
  let reread: ReturnType<typeof setTimeout> | undefined
  let watch: ReturnType<typeof setInterval> | undefined

  const rereadLists = (): void => {
    reread ??= setTimeout(
      () => {
        reread = undefined
        if (isListInUse()) return rereadLists()
        void queries.refetchQueries({ type: 'active', predicate: (query) => isOf(query, LISTS) || isNeighbours(query) })
      },
      REREAD + Math.random() * SPREAD,
    )
  }

  const paint = (): void => {
    const [waiting, news] = [held, updates]
    updates = new Map()
    held = new Map()
    const isHolding = isListInUse()
    for (const query of queries.getQueryCache().getAll()) {
      if (query.queryKey[0] !== serverKeys.all[0] || query.state.data === undefined) continue
      const standing = merge(waiting.get(query.queryHash) ?? NONE, news)
      // Only observed queries are shown, so only these can move under the pointer.
      const result = isOf(query, LISTS)
        ? writeList(queries, query, standing, isHolding && query.isActive(), beforeMove)
        : write(queries, query, news)
      if (result === 'held') held.set(query.queryHash, standing)
      if (result === 'moved' && query.isActive()) rereadLists()
    }
    hold(held.size > 0)
  }

  const painter = createPainter(paint)

  /** Offers the pending updates, and applies them as soon as nobody is using the list. */
  const hold = (isHeld: boolean): void => {
    clearInterval(watch)
    watch = undefined
    if (isHeld) watch = setInterval(() => isListInUse() || painter.request(), 1_000)
    if (isHeld !== (heldMove.get() !== null)) heldMove.set(isHeld ? show : null)
  }

  const show = (): void => {
    const waiting = held
    held = new Map()
    for (const query of queries.getQueryCache().getAll())
      if (isOf(query, LISTS)) writeList(queries, query, waiting.get(query.queryHash) ?? NONE, false, beforeMove)
    hold(false)
    rereadLists()
  }

  /**
   * The votes of each server in the last message: several processes, and two topics, may send the
   * same ones.
   */
  const lastVotes = new Map<string, number>()
  const withNewVotes = (standing: Standing): Standing => {
    const last = lastVotes.get(standing.id) ?? 0
    lastVotes.set(standing.id, standing.monthly_votes)
    const before = standing.votes_before === null ? null : Math.max(standing.votes_before, last)
    return { ...standing, votes_before: before === null || before >= standing.monthly_votes ? null : before }
  }

  return {
    topicsOf(query) {
      const [entity, part, id, subject] = query.queryKey
      if (entity === serverKeys.all[0] && LISTS.has(String(part))) return [RANKING]
      if (entity === serverKeys.all[0] && PAGES.has(String(part))) return [ofServer(id)]
      if (entity === serverKeys.all[0] && part === OWN && query.queryKey.length === 3)
        return ownTopics(query.state.data)
      return entity === deliveryKeys.all[0] && id === 'log' ? [ofServer(subject)] : []
    },
    onMessage(topic, payload) {
      const standings = readStandings(payload)
      for (const standing of standings) {
        const known = updates.get(standing.id)
        const after = mergeStandings(known?.standing, withNewVotes(standing))
        updates.set(standing.id, { standing: after, at: known?.at ?? Date.now() })
      }
      if (standings.length > 0) painter.request()
      if (hasDeliveries(payload)) rereadDeliveries(queries, topic)
    },
    onGap(topics) {
      void queries.refetchQueries({
        type: 'active',
        predicate: (query) => topics.some((topic) => this.topicsOf(query).includes(topic)),
      })
    },
    stop() {
      painter.stop()
      clearTimeout(reread)
      clearInterval(watch)
      heldMove.set(null)
    },
  }
}

/** The topics of a person's own servers, of which there are few. */
const ownTopics = (data: unknown): string[] => rowsIn(data ?? []).map(({ id }) => ofServer(id))

/** Whether the query belongs to one of these parts of the cache for servers. */
const isOf = ({ queryKey }: Query, parts: ReadonlySet<string>): boolean =>
  queryKey[0] === serverKeys.all[0] && parts.has(String(queryKey[1]))

const isNeighbours = (query: Query): boolean => isOf(query, NEIGHBOURS)
const NEIGHBOURS = new Set(['neighbours'])

function merge(before: PendingUpdates, after: PendingUpdates): PendingUpdates {
  const all = new Map(before)
  for (const [id, { standing, at }] of after) {
    const known = all.get(id)
    all.set(id, { standing: mergeStandings(known?.standing, standing), at: known?.at ?? at })
  }
  return all
}

/** The updates that a query's rows do not include yet. */
function unknownTo(query: Query, updates: PendingUpdates): Map<string, Standing> {
  const news = [...updates].filter(([, { at }]) => at >= query.state.dataUpdatedAt)
  return new Map(news.map(([id, { standing }]) => [id, standing]))
}

type Result = 'same' | 'written' | 'moved' | 'held'

/** Writes the updates into a query for one server. */
function write(queries: QueryClient, query: Query, updates: PendingUpdates): Result {
  const [, part, id] = query.queryKey
  const before = query.state.data
  const standings = unknownTo(query, updates)
  const standing = standings.get(String(id))
  const after =
    standing === undefined ? updated(before, standings, ALL) : ownFigures(String(part), before, standings, standing)
  keep(queries, query, after)
  if (part !== 'neighbours' || after === before) return 'same'
  return isReordered(neighboursIn(before), neighboursIn(after)) ? 'moved' : 'written'
}

const ALL = { onlyStatus: false }

/** The figures of a server's own page, which have the names of its procedures. */
function ownFigures(
  part: string,
  data: unknown,
  standings: ReadonlyMap<string, Standing>,
  standing: Standing,
): unknown {
  if (part === 'place') return standing.game_rank
  if (part === 'stats') return statsWith(data as Stats, standing)
  if (part === 'history') return historyWith(data as readonly VoteDay[], standing)
  return updated(data, standings, ALL)
}

interface Stats {
  votes_today: number
  votes_last_7_days: number
}

function statsWith<Known extends Stats>(stats: Known, standing: Standing): Known {
  const { total_votes, monthly_votes, rank, game_rank, daily_votes } = standing
  // At the start of a day both counts begin at zero and are read again.
  const more = Math.max(0, daily_votes - stats.votes_today)
  const votes_last_7_days = stats.votes_last_7_days + more
  return { ...stats, total_votes, monthly_votes, rank, game_rank, votes_today: daily_votes, votes_last_7_days }
}

interface VoteDay {
  vote_count: number
}

/** Updates today's entry, which is the last one. */
function historyWith(days: readonly VoteDay[], { daily_votes }: Standing): readonly VoteDay[] {
  const today = days.at(-1)
  if (today === undefined || daily_votes <= today.vote_count) return days
  return [...days.slice(0, -1), { ...today, vote_count: daily_votes }]
}

function neighboursIn(data: unknown): Row[] {
  const { self, ahead, behind } = data as Record<string, Row | null>
  return [ahead, self, behind].filter((row) => row !== null && row !== undefined)
}

/**
 * Writes a list, unless its order would change while somebody is using it. Calls `beforeMove` where
 * its order may change.
 */
function writeList(
  queries: QueryClient,
  query: Query,
  updates: PendingUpdates,
  isHolding: boolean,
  beforeMove: () => void,
): Result {
  const standings = unknownTo(query, updates)
  const before = query.state.data
  if (standings.size === 0 || before === undefined) return 'same'
  const order = listOrderOf(query)
  const after = ordered(updated(before, standings, { onlyStatus: order.sort === 'competitive' }), order)
  const [rowsBefore, rowsAfter] = [rowsIn(before), rowsIn(after)]
  const isMoved = isReordered(rowsBefore, rowsAfter) || entersPage(rowsBefore, standings)
  const isRedrawn = isMoved || isShuffled(rowsBefore, rowsAfter)
  if (isHolding && isRedrawn) return 'held'
  if (isRedrawn && query.isActive()) beforeMove()
  keep(queries, query, after)
  return isMoved ? 'moved' : 'written'
}

interface ListOrder {
  sort?: string
  promotion?: string
}

/** The order of a list; a podium and favorites need none. */
function listOrderOf({ queryKey }: Query): ListOrder {
  const [, part, request] = queryKey
  return part === 'list' && typeof request === 'object' && request !== null ? request : {}
}

interface ListRow extends Row {
  is_prestige?: boolean
  online_players?: number
}

const promotedFirst = (one: ListRow, other: ListRow): number => Number(other.is_prestige) - Number(one.is_prestige)

/** Sorts like the database; a random order stays. */
function ordered<Data>(data: Data, { sort, promotion }: ListOrder): Data {
  const order =
    sort === 'votes'
      ? (one: ListRow, other: ListRow) => promotedFirst(one, other) || byVotes(one, other)
      : sort === 'default' && promotion === 'regular-only'
        ? byVotes
        : sort === 'popular'
          ? (one: ListRow, other: ListRow) =>
              (other.online_players ?? 0) - (one.online_players ?? 0) || (one.id < other.id ? -1 : 1)
          : null
  const rows = rowsIn(data)
  if (order === null || Array.isArray(data)) return data
  const inOrder = rows.toSorted(order)
  return isShuffled(rows, inOrder) ? { ...data, rows: inOrder } : data
}

const isShuffled = (before: readonly Row[], after: readonly Row[]): boolean =>
  before.some(({ id }, at) => id !== after[at]?.id)

function rowsIn(data: unknown): readonly ListRow[] {
  if (Array.isArray(data)) return data
  return (data as { rows?: readonly ListRow[] }).rows ?? []
}

/** Whether a server outside of the rows now has more votes than one of them. */
function entersPage(rows: readonly Row[], standings: ReadonlyMap<string, Standing>): boolean {
  const least = Math.min(...rows.map((row) => row.monthly_votes))
  const known = new Set(rows.map(({ id }) => id))
  return [...standings.values()].some(
    ({ id, votes_before, monthly_votes }) =>
      votes_before !== null && !known.has(id) && votes_before <= least && monthly_votes > least,
  )
}

/** Keeps the age of the rows: an update does not make them fresh. */
function keep(queries: QueryClient, query: Query, data: unknown): void {
  if (data === query.state.data) return
  queries.setQueryData(query.queryKey, data, { updatedAt: query.state.dataUpdatedAt })
}

/**
 * Reads the deliveries again when votes of a server reached its receivers: the voter's dialog and
 * the owner's log show them.
 */
function rereadDeliveries(queries: QueryClient, topic: string): void {
  void queries.refetchQueries({
    type: 'active',
    predicate({ queryKey, state }) {
      const [entity, part, kind, id] = queryKey
      if (entity === voteKeys.own[0]) return part === 'arrival' && (state.data === 'underway' || state.data === 'later')
      return entity === deliveryKeys.all[0] && kind === 'log' && ofServer(id) === topic
    },
  })
}
