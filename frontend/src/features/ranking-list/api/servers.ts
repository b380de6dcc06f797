import type { QueryData } from '@supabase/supabase-js'
import { arrayLiteral } from '@/lib/api/array-literal'
import { toApiError, unwrap, unwrapCounted } from '@/lib/api/errors'
import { fold } from '@/lib/text/fold'
import type { TranslatedName } from '@/lib/i18n/translated-name'
import { publicData } from '@/lib/api/public-data'
import type { VoteTarget } from '@/entities/vote/dialog'
import { PAGE_SIZE, type ListState } from '../model/list-state'
import { byVotes, hasParts, placedOn } from '../model/parts'

/** What a card shows, and no more. */
const COLUMNS = `
  id, slug, name, description, ip_address, tags, logo_image_url, banner_image_url, custom_color, language, owner_id,
  is_prestige, sponsor_tier, online_players, max_players, is_online, status_checked_at, monthly_votes, rank, game_rank,
  day_rank, day_game_rank` as const
const GAME_COLUMNS = 'id, name, slug, page_slug, logo_url, backdrop_url, nickname_pattern'
const CARD = `${COLUMNS}, games(${GAME_COLUMNS})` as const

/** Servers as cards show them; what a row is follows from the columns. */
const selectCards = () => publicData.from('servers_public').select(CARD)

/** A server as a card shows it. Names and descriptions are as stored: escaped. */
export type ListedServer = QueryData<ReturnType<typeof selectCards>>[number]

/** What the vote dialog needs to know of a listed server. */
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

/** An event by whose places the list is ordered. */
export interface RunningEvent extends TranslatedName {
  id: string
}

export interface ServerPage {
  rows: ListedServer[]
  /** Promoted servers of earlier pages whose place in the ranking is on this one, where the list is drawn in parts. */
  placed?: ListedServer[]
  /** How many there are on all pages. */
  count: number
  /** The page these are, from 1: the last one where a later one was asked for. */
  page: number
  /** The running event whose ranking this is. */
  event?: RunningEvent
  /** Set when the running event's ranking was asked for and none is running. */
  noEvent?: true
}

/** What is listed: the state of the list, and the slugs of the games it is about (none for all). */
export interface ServerListRequest extends ListState {
  games: readonly string[]
}

/** A page of the list; the last one when it has fewer. */
export async function fetchServers(wanted: ServerListRequest, signal: AbortSignal): Promise<ServerPage> {
  const asked = await fetchPage(wanted, wanted.page, signal)
  if (asked.rows.length > 0 || wanted.page === 1) return withPlaced({ ...asked, page: wanted.page }, wanted, signal)
  const last = Math.max(1, Math.ceil(asked.count / PAGE_SIZE))
  return withPlaced({ ...(await fetchPage(wanted, last, signal)), page: last }, wanted, signal)
}

/** Promoted servers come first in the list; their places in the ranking are on later pages as well. */
async function withPlaced(answer: ServerPage, wanted: ServerListRequest, signal: AbortSignal): Promise<ServerPage> {
  const regular = answer.rows.filter((row) => !row.is_prestige)
  if (answer.page === 1 || regular.length === 0 || !hasParts(wanted)) return answer
  const first = (answer.page - 1) * PAGE_SIZE
  const before = unwrap(await selectPage(wanted, { first: first - 1, size: 1, signal }))[0]
  const isLast = first + answer.rows.length >= answer.count
  let query = selectWanted({ ...wanted, promotion: 'prestige-only' }, false)
  if (before?.is_prestige === false) query = query.lte('monthly_votes', before.monthly_votes)
  if (!isLast) query = query.gte('monthly_votes', regular.at(-1)!.monthly_votes)
  const promoted = unwrap(await query.order('monthly_votes', DOWN).order('id', UP).limit(PAGE_SIZE).abortSignal(signal))
  const isBehind = (row: ListedServer) => before === undefined || before.is_prestige || byVotes(before, row) < 0
  const behind = promoted.filter((row) => row.is_prestige && isBehind(row))
  return { ...answer, placed: placedOn(behind, regular, isLast) }
}

/** The first three by votes, of all servers or of some games. */
export async function fetchPodium(games: readonly string[], signal: AbortSignal): Promise<ListedServer[]> {
  const query = selectWanted({ games, tags: [], text: '', promotion: 'all', language: 'any', sort: 'votes' }, false)
  const first = query.order('monthly_votes', DOWN).order('id', UP).limit(3)
  return unwrap(await first.abortSignal(signal))
}

async function fetchPage(wanted: ServerListRequest, page: number, signal: AbortSignal) {
  if (isNarrowed(wanted) || wanted.sort === 'rising') return fetchCountedPage(wanted, page, signal)
  const first = (page - 1) * PAGE_SIZE
  if (page > FAR) {
    const kept = await fetchKeptCount(wanted, signal)
    if (first < kept && first > kept / 2) return fetchFromTheEnd(wanted, first, kept, signal)
  }
  const [rows, kept] = await Promise.all([
    selectPage(wanted, { first, signal }).then(unwrap),
    fetchKeptCount(wanted, signal),
  ])
  if (page > 1 && rows.length === 0) return pastTheEnd(wanted, signal)
  const seen = first + rows.length
  // A page that is not full is the last one: it knows more than what was kept a moment ago.
  return { rows, count: rows.length < PAGE_SIZE ? seen : Math.max(kept, seen) }
}

/** Pages behind this one are read from the nearer end: the database passes over all that stands before a page. */
const FAR = 100

/** The rows that end a list of so many, from `first` on, asked for in the opposite order. */
async function fetchFromTheEnd(wanted: ServerListRequest, first: number, count: number, signal: AbortSignal) {
  const behind = Math.max(0, count - first - PAGE_SIZE)
  const size = Math.min(PAGE_SIZE, count - first)
  const rows = unwrap(await selectPage(wanted, { first: behind, size, isReversed: true, signal }))
  return { rows: rows.toReversed(), count }
}

async function fetchCountedPage(wanted: ServerListRequest, page: number, signal: AbortSignal) {
  const answer = await selectPage(wanted, { first: (page - 1) * PAGE_SIZE, isCounted: true, signal })
  // Beyond the end a counted answer is a refusal, which says in words how many there are: counted again instead.
  if (answer.error !== null && toApiError(answer.error, answer.status).code === PAST_THE_END)
    return pastTheEnd(wanted, signal)
  return unwrapCounted(answer)
}

async function pastTheEnd(wanted: ServerListRequest, signal: AbortSignal) {
  return { rows: [], count: unwrapCounted(await selectWanted(wanted).abortSignal(signal).limit(1)).count }
}

interface Part {
  first: number
  size?: number
  isReversed?: boolean
  isCounted?: boolean
  signal: AbortSignal
}

function selectPage(
  wanted: ServerListRequest,
  { first, size = PAGE_SIZE, isReversed = false, isCounted = false, signal }: Part,
) {
  let query = selectWanted(wanted, isCounted).abortSignal(signal)
  for (const [column, order] of orderOf(wanted)) query = query.order(column, isReversed ? opposite(order) : order)
  return query.range(first, first + size - 1)
}

const PAST_THE_END = 'PGRST103'

/** Whether a list leaves out servers by what nobody keeps count of: servers may wear several of the tags. */
const isNarrowed = ({ language, tags, text }: ServerListRequest) =>
  language !== 'any' || tags.length > 1 || fold(text) !== ''

/** How many servers the games have, or all of them, as the database keeps it: seconds old, and nobody counts. */
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

/** The servers that fit what is wanted, in no order yet. */
export function selectWanted(
  { games, tags, text, promotion, language, sort }: Omit<ServerListRequest, 'page'>,
  counted = true,
) {
  let query = publicData.from('servers_public').select(CARD, counted ? { count: 'exact' } : {})
  if (games.length === 1) query = query.eq('game_slug', games[0]!)
  if (games.length > 1) query = query.in('game_slug', [...games])
  if (tags.length > 0) query = query.overlaps('tags', arrayLiteral(tags))
  const folded = fold(text)
  // Two letters are looked for at the beginnings of words, like the search does.
  if (folded !== '') query = query.like('search_name', folded.length > 2 ? `%${folded}%` : `% ${folded}%`)
  if (language !== 'any') query = query.eq('language', language)
  if (promotion !== 'all') query = query.eq('is_prestige', promotion === 'prestige-only')
  // The rising are those that climbed.
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
/** Regular servers have no promoted order and stand after those that do. */
const SHUFFLED = ['promoted_order', { ascending: true, nullsFirst: false }] as const

/** What a climb since the day began counts, among all or in the one game that is listed. */
const riseOf = (games: readonly string[]) => (games.length === 1 ? 'game_rise' : 'rise')

/** Promoted servers come first in an order that the database shuffles every hour; ties are settled by the id. */
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
