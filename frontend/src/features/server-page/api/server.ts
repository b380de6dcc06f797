import { queryOptions } from '@tanstack/react-query'
import { unwrapOptional } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'

const COLUMNS = `
  id, slug, name, description, ip_address, version, tags, logo_image_url, banner_image_url, description_image_url,
  backdrop_url, video_url, discord_url, website_url, language, owner_id, custom_color, is_prestige, is_online,
  online_players, max_players, status_checked_at, total_votes, monthly_votes, daily_votes, clicks, review_count,
  rating_average, rank, game_rank, created_at,
  games(id, name, page_slug, logo_url, backdrop_url, is_steam, nickname_pattern)` as const

/** Slugs never look like this, so one address can carry either. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** By the slug or the id of its address; null when there is no such server. */
const serverQuery = (by: 'slug' | 'id', value: string) =>
  queryOptions({
    queryKey: keys.servers.detail(by, value),
    queryFn: ({ signal }) => fetchServer(by, value, signal),
    staleTime: 10_000,
  })

/** What the last word of a server's address asks for. */
export const serverQueryAt = (word: string) => serverQuery(UUID.test(word) ? 'id' : 'slug', word)

async function fetchServer(by: 'slug' | 'id', value: string, signal: AbortSignal) {
  // Taken apart: inside the call the row's type would be guessed from what is wanted of it.
  const answer = await publicData.from('servers_public').select(COLUMNS).eq(by, value).abortSignal(signal).maybeSingle()
  return unwrapOptional(answer)
}

/** A server as its own page shows it. Owners' texts are as stored: escaped. */
export type ServerDetail = NonNullable<Awaited<ReturnType<typeof fetchServer>>>
