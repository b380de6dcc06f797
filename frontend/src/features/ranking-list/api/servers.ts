import type { QueryData } from '@supabase/supabase-js'
import { arrayLiteral } from '@/lib/api/array-literal'
import { toApiError, unwrap, unwrapCounted } from '@/lib/api/errors'
import { fold } from '@/lib/text/fold'
import type { TranslatedName } from '@/lib/i18n/translated-name'
import { publicData } from '@/lib/api/public-data'
import type { VoteTarget } from '@/entities/vote/dialog'
import { PAGE_SIZE, type ListState } from '../model/list-state'
import { byVotes, hasParts, placedOn } from '../model/parts'

/** The columns of a card, and no more. */
const COLUMNS = `
  id, slug, name, description, ip_address, tags, logo_image_url, banner_image_url, custom_color, language, owner_id,
  is_prestige, sponsor_tier, online_players, max_players, is_online, status_checked_at, monthly_votes, rank, game_rank,
  day_rank, day_game_rank` as const
const GAME_COLUMNS = 'id, name, slug, page_slug, logo_url, backdrop_url, nickname_pattern'
const CARD = `${COLUMNS}, games(${GAME_COLUMNS})` as const

/** Servers as cards show them; the type of a row follows from the columns. */
const selectCards = () => publicData.from('servers_public').select(CARD)

/** A server as a card shows it. Names and descriptions are stored text, which is escaped. */
export type ListedServer = QueryData<ReturnType<typeof selectCards>>[number]

/** The part of a listed server that the vote dialog needs. */
export function voteTargetOf(server: ListedServer): VoteTarget {
  return {
    id: server.id,
    name: server.name,
    logoUrl: server.logo_image_url,
    monthlyVotes: server.monthly_votes,
    game: server.games?.name ?? null,
    nicknamePattern: server.games?.nickname_pattern ?? null,
  }
}

/** The event whose places order the list. */
export interface RunningEvent extends TranslatedName {
  id: string
}

export interface ServerPage {
  rows: ListedServer[]
  /**
   * Promoted servers of earlier pages whose place in the ranking is on this one, if the list is
   * drawn in parts.
   */
  placed?: ListedServer[]
  /** The number of servers on all pages. */
  count: number
  /** The number of this page, from 1: the last one if a later one was requested. */
  page: number
  /** The event whose ranking this is. */
  event?: RunningEvent
  /** Set if the running event's ranking was requested and there is none. */
  noEvent?: true
}

/** A request for the list: its state, and the slugs of its games (none for all). */
export interface ServerListRequest extends ListState {
  games: readonly string[]
}

/** A page of the list; the last one if the list has fewer. */
export async function fetchServers(request: ServerListRequest, signal: AbortSignal): Promise<ServerPage> {
  const firstPage = await fetchPage(request, request.page, signal)
  if (firstPage.rows.length > 0 || request.page === 1)
    return withPlaced({ ...firstPage, page: request.page }, request, signal)
  const last = Math.max(1, Math.ceil(firstPage.count / PAGE_SIZE))
  return withPlaced({ ...(await fetchPage(request, last, signal)), page: last }, request, signal)
}

/**
 * Promoted servers come first in the list; those with a place in the ranking on a later page appear
 * there, too.
 */
async function withPlaced(answer: ServerPage, request: ServerListRequest, signal: AbortSignal): Promise<ServerPage> {
  const regular = answer.rows.filter((row) => !row.is_prestige)
  if (answer.page === 1 || regular.length === 0 || !hasParts(request)) return answer
  const first = (answer.page - 1) * PAGE_SIZE
  const before = unwrap(await selectPage(request, { first: first - 1, size: 1, signal }))[0]
  const isLast = first + answer.rows.length >= answer.count
  let query = selectWanted({ ...request, promotion: 'prestige-only' }, false)
  if (before?.is_prestige === false) query = query.lte('monthly_votes', before.monthly_votes)
  if (!isLast) query = query.gte('monthly_votes', regular.at(-1)!.monthly_votes)
  const promoted = unwrap(await query.order('monthly_votes', DOWN).order('id', UP).limit(PAGE_SIZE).abortSignal(signal))
  const isBehind = (row: ListedServer) => before === undefined || before.is_prestige || byVotes(before, row) < 0
  const behind = promoted.filter((row) => row.is_prestige && isBehind(row))
  return { ...answer, placed: placedOn(behind, regular, isLast) }
}

/** The first three servers by votes, of all or of some games. */
export async function fetchPodium(games: readonly string[], signal: AbortSignal): Promise<ListedServer[]> {
  const query = selectWanted({ games, tags: [], text: '', promotion: 'all', language: 'any', sort: 'votes' }, false)
  const first = query.order('monthly_votes', DOWN).order('id', UP).limit(3)
  return unwrap(await first.abortSignal(signal))
}

async function fetchPage(request: ServerListRequest, page: number, signal: AbortSignal) {
  if (isNarrowed(request) || request.sort === 'rising') return fetchCountedPage(request, page, signal)
  const first = (page - 1) * PAGE_SIZE
  if (page > FAR) {
    const storedCount = await fetchKeptCount(request, signal)
    if (first < storedCount && first > storedCount / 2) return fetchFromTheEnd(request, first, storedCount, signal)
  }
  const [rows, count] = await Promise.all([
    selectPage(request, { first, signal }).then(unwrap),
    fetchKeptCount(request, signal),
  ])
  if (page > 1 && rows.length === 0) return pastTheEnd(request, signal)
  const seen = first + rows.length
  // A page that is not full is the last one, which is more accurate than the stored count.
  return { rows, count: rows.length < PAGE_SIZE ? seen : Math.max(count, seen) }
}

/**
 * Pages after this one are read from the nearer end, because the database scans all rows before a
 * page.
 */
const FAR = 100

/** The last rows of a list of `count`, from `first` on, requested in reverse order. */
async function fetchFromTheEnd(request: ServerListRequest, first: number, count: number, signal: AbortSignal) {
  const behind = Math.max(0, count - first - PAGE_SIZE)
  const size = Math.min(PAGE_SIZE, count - first)
  const rows = unwrap(await selectPage(request, { first: behind, size, isReversed: true, signal }))
  return { rows: rows.toReversed(), count }
}

async function fetchCountedPage(request: ServerListRequest, page: number, signal: AbortSignal) {
  const answer = await selectPage(request, { first: (page - 1) * PAGE_SIZE, isCounted: true, signal })
  // A range past the end is refused, with the count in the message only; so the rows are counted in
  // another request.
  if (answer.error !== null && toApiError(answer.error, answer.status).code === PAST_THE_END)
    return pastTheEnd(request, signal)
  return unwrapCounted(answer)
}

async function pastTheEnd(request: ServerListRequest, signal: AbortSignal) {
  return { rows: [], count: unwrapCounted(await selectWanted(request).abortSignal(signal).limit(1)).count }
}

interface Part {
  first: number
  size?: number
  isReversed?: boolean
  isCounted?: boolean
  signal: AbortSignal
}

function selectPage(
  request: ServerListRequest,
  { first, size = PAGE_SIZE, isReversed = false, isCounted = false, signal }: Part,
) {
  let query = selectWanted(request, isCounted).abortSignal(signal)
  for (const [column, order] of orderOf(request)) query = query.order(column, isReversed ? opposite(order) : order)
  return query.range(first, first + size - 1)
}

const PAST_THE_END = 'PGRST103'

/** Whether a filter is set for which no count is stored: servers may have several of the tags. */
const isNarrowed = ({ language, tags, text }: ServerListRequest) =>
  language !== 'any' || tags.length > 1 || fold(text) !== ''

/**
 * The number of servers of the games, or of all, as the database stores it: seconds old, but
 * without counting.
 */
async function fetchKeptCount({ games, tags, promotion }: ServerListRequest, signal: AbortSignal): Promise<number> {
  const [tag] = tags
  let query =
    tag === undefined
      ? publicData.from('game_figures').select('servers, promoted, games!inner(slug)')
      : publicData.from('game_tag_figures').select('servers, promoted, games!inner(slug)').eq('tag', tag)
  if (games.length > 0) query = query.in('games.slug', [...games])
  const figures = unwrap(await query.abortSignal(signal))
  const promoted = figures.reduce((sum, figure) => sum + figure.promoted, 0)
  const all = figures.reduce((sum, { servers }) => sum + servers, 0)
  return { all, 'prestige-only': promoted, 'regular-only': all - promoted }[promotion]
}

/** The servers that match the request, without an order. */
export function selectWanted(
  { games, tags, text, promotion, language, sort }: Omit<ServerListRequest, 'page'>,
  counted = true,
) {
  let query = publicData.from('servers_public').select(CARD, counted ? { count: 'exact' } : {})
  if (games.length === 1) query = query.eq('game_slug', games[0]!)
  if (games.length > 1) query = query.in('game_slug', [...games])
  if (tags.length > 0) query = query.overlaps('tags', arrayLiteral(tags))
  const folded = fold(text)
  // One or two letters match the beginnings of words, like in the search.
  if (folded !== '') query = query.like('search_name', folded.length > 2 ? `%${folded}%` : `% ${folded}%`)
  if (language !== 'any') query = query.eq('language', language)
  if (promotion !== 'all') query = query.eq('is_prestige', promotion === 'prestige-only')
  // Rising servers are those that gained places today.
  if (sort === 'rising') query = query.gt(riseOf(games), 0)
  return query
}

interface Direction {
  ascending: boolean
  nullsFirst?: boolean
}
type Order = readonly (readonly [column: string, Direction])[]

const opposite = ({ ascending, nullsFirst }: Direction): Direction =>
  nullsFirst === undefined ? { ascending: !ascending } : { ascending: !ascending, nullsFirst: !nullsFirst }

const UP = { ascending: true }
const DOWN = { ascending: false }
const BY_ID = ['id', UP] as const
const BY_VOTES = ['monthly_votes', DOWN] as const
const PROMOTED = ['is_prestige', DOWN] as const
/** Regular servers have no promoted order and come after those that have one. */
const SHUFFLED = ['promoted_order', { ascending: true, nullsFirst: false }] as const

/** The column with the places gained today, among all or in the one listed game. */
const riseOf = (games: readonly string[]) => (games.length === 1 ? 'game_rise' : 'rise')

/**
 * Promoted servers come first in an order that the database shuffles every hour; ties are broken by
 * id.
 */
function orderOf({ sort, promotion, games }: ServerListRequest): Order {
  if (sort === 'rising') return [[riseOf(games), DOWN], BY_VOTES, BY_ID]
  if (promotion === 'prestige-only' && sort !== 'votes') return [SHUFFLED, BY_ID]
  switch (sort) {
    case 'votes':
      return [PROMOTED, BY_VOTES, BY_ID]
    case 'popular':
      return [['online_players', DOWN], BY_ID]
    case 'recent':
      return [['created_at', DOWN], BY_ID]
    case 'clicks':
      return [['clicks', DOWN], BY_ID]
    default:
      return [PROMOTED, SHUFFLED, BY_VOTES, BY_ID]
  }
}
