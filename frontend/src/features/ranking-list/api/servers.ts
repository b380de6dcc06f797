import type { QueryData } from '@supabase/supabase-js'
import { unwrapCounted } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import type { VoteTarget } from '@/lib/vote-dialog'
import { PAGE_SIZE, type ListState } from '../model/list-state'

/** `rank` and `game_rank` are counted by the database, so columns are named, never `*`. */
const COLUMNS = `
  id, slug, name, description, ip_address, tags, logo_image_url, banner_image_url, custom_color, language, owner_id,
  is_prestige, online_players, max_players, is_online, monthly_votes, rank, game_rank` as const
const GAME_COLUMNS = 'id, name, slug, page_slug, logo_url, nickname_pattern'
const CARD = `${COLUMNS}, games(${GAME_COLUMNS})` as const
/** Only servers of the games that are asked for. */
const CARD_OF_GAMES = `${COLUMNS}, games!inner(${GAME_COLUMNS})` as const

/** Servers as cards show them; what a row is follows from the columns. */
export const selectCards = () => publicData.from('servers_public').select(CARD)

/** A server as a card shows it. Names and descriptions are as stored: escaped. */
export type ListedServer = QueryData<ReturnType<typeof selectCards>>[number]

/** What the vote dialog needs to know of a listed server. */
export function voteTargetOf(server: ListedServer): VoteTarget {
  return {
    id: server.id,
    name: server.name,
    logoUrl: server.logo_image_url,
    monthlyVotes: server.monthly_votes,
    nicknamePattern: server.games.nickname_pattern,
  }
}

export interface ServerPage {
  rows: ListedServer[]
  /** How many there are on all pages. */
  count: number
  /** Set when the running event's ranking was asked for and none is running. */
  noEvent?: true
}

/** What is listed: the state of the list, and the slugs of the games it is about (none for all). */
export interface ServersWanted extends ListState {
  games: readonly string[]
}

export async function fetchServers(wanted: ServersWanted, signal: AbortSignal): Promise<ServerPage> {
  let query = publicData
    .from('servers_public')
    .select(wanted.games.length > 0 ? CARD_OF_GAMES : CARD, { count: 'exact' })
    .abortSignal(signal)

  if (wanted.games.length === 1) query = query.eq('games.slug', wanted.games[0]!)
  if (wanted.games.length > 1) query = query.in('games.slug', [...wanted.games])
  if (wanted.tags.length > 0) query = query.overlaps('tags', [...wanted.tags])
  if (wanted.promotion !== 'all') query = query.eq('is_prestige', wanted.promotion === 'prestige-only')
  for (const [column, order] of orderOf(wanted)) query = query.order(column, order)

  const first = (wanted.page - 1) * PAGE_SIZE
  return unwrapCounted(await query.range(first, first + PAGE_SIZE - 1))
}

type Order = readonly (readonly [column: string, { ascending: boolean; nullsFirst?: boolean }])[]

const UP = { ascending: true }
const DOWN = { ascending: false }
/** Regular servers have no promoted order and stand after those that do. */
const SHUFFLED = { ascending: true, nullsFirst: false }

/** Promoted servers come first in an order that the database shuffles every hour; ties are settled by the id. */
function orderOf({ sort, promotion }: ListState): Order {
  if (promotion === 'prestige-only' && sort !== 'votes')
    return [
      ['promoted_order', SHUFFLED],
      ['id', UP],
    ]
  switch (sort) {
    case 'votes':
      return [
        ['is_prestige', DOWN],
        ['monthly_votes', DOWN],
        ['id', UP],
      ]
    case 'popular':
      return [
        ['online_players', DOWN],
        ['id', UP],
      ]
    case 'recent':
      return [
        ['created_at', DOWN],
        ['id', UP],
      ]
    case 'clicks':
      return [
        ['clicks', DOWN],
        ['id', UP],
      ]
    default:
      return [
        ['is_prestige', DOWN],
        ['promoted_order', SHUFFLED],
        ['monthly_votes', DOWN],
        ['id', UP],
      ]
  }
}
