import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { isUuid } from '@/lib/text/uuid'

/** Columns that both the public view and the table have. */
const SHARED = `
  id, slug, name, description, ip_address, version, tags, logo_image_url, banner_image_url, description_image_url,
  backdrop_url, video_url, discord_url, website_url, language, owner_id, custom_color, is_online, online_players,
  max_players, status_checked_at, total_votes, monthly_votes, daily_votes, clicks, review_count, created_at,
  games(id, name, slug, page_slug, logo_url, backdrop_url, is_steam, nickname_pattern)` as const

/** Whether the last segment of a server's address is a slug or an id. */
const keyOf = (word: string): 'slug' | 'id' => (isUuid(word) ? 'id' : 'slug')

/** By the slug or id in its address; null if visitors see no such server. */
export const serverQueryAt = (word: string) =>
  queryOptions({
    queryKey: serverKeys.detail(keyOf(word), word),
    queryFn: ({ signal }) => fetchServer(keyOf(word), word, signal),
    staleTime: STALE_TIME.moving,
  })

async function fetchServer(by: 'slug' | 'id', value: string, signal: AbortSignal) {
  // A variable of its own: inline, TypeScript would infer the row's type from the expected result.
  const answer = await publicData
    .from('servers_public')
    .select(`is_prestige, rating_average, rank, game_rank, ${SHARED}`)
    .eq(by, value)
    .abortSignal(signal)
    .maybeSingle()
  const row = unwrapOptional(answer)
  return row && { ...row, hidden: null }
}

/** Why a server is hidden from visitors: it is not approved yet, or the reason in the database. */
type HiddenReason = 'waiting' | 'owner' | 'moderation' | 'bonus_expired' | 'owner_left' | 'game_closed'

/** A server as its own page shows it. Owners' texts are stored escaped. */
export type ServerDetail = Omit<NonNullable<Awaited<ReturnType<typeof fetchServer>>>, 'hidden'> & {
  /** Null for a visible server. */
  hidden: HiddenReason | null
}

/**
 * A server that is hidden from visitors, for its owner and for moderators. It has no place in the
 * ranking.
 */
export const hiddenServerQuery = (word: string, viewer: string) =>
  queryOptions({
    queryKey: serverKeys.hidden(viewer, keyOf(word), word),
    queryFn: ({ signal }) => fetchHidden(keyOf(word), word, signal),
    staleTime: STALE_TIME.moving,
  })

async function fetchHidden(by: 'slug' | 'id', value: string, signal: AbortSignal): Promise<ServerDetail | null> {
  const { supabase } = await import('@/lib/api/supabase')
  const answer = await supabase
    .from('servers_managed')
    .select(`is_approved, is_hidden, hidden_reason, is_sponsored, prestige_expires_at, rating_sum, ${SHARED}`)
    .eq(by, value)
    .abortSignal(signal)
    .maybeSingle()
  const row = unwrapOptional(answer)
  if (row === null) return null
  const { is_approved, is_hidden, hidden_reason, is_sponsored, prestige_expires_at, rating_sum, ...shared } = row
  return {
    ...shared,
    hidden: is_hidden ? reasonOf(hidden_reason) : is_approved ? 'owner' : 'waiting',
    is_prestige: is_sponsored && prestige_expires_at !== null && Date.parse(prestige_expires_at) > Date.now(),
    rating_average: row.review_count > 0 ? rating_sum / row.review_count : null,
    rank: 0,
    game_rank: 0,
  }
}

const REASONS = ['owner', 'moderation', 'bonus_expired', 'owner_left', 'game_closed'] as const

function reasonOf(noted: string | null): HiddenReason {
  return REASONS.find((reason) => reason === noted) ?? 'owner'
}
