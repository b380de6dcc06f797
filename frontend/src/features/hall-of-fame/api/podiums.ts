import { queryOptions } from '@tanstack/react-query'
import { podiumKeys } from '@/entities/podium/keys'
import { unwrap, unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** A place on a podium, the server as it is today if visitors see it, and the game. */
const COLUMNS = `
  month, place, votes, server_id, server_name, name, slug, logo_image_url,
  games!inner(id, name, slug, page_slug, logo_url)` as const

/** Enough for thirty years of a game, or a hundred games in a month. */
const MOST = 1000

const select = () => publicData.from('won_places').select(COLUMNS)

async function fetchMonth(month: string, signal: AbortSignal) {
  const ordered = select().eq('month', month).order('games(name)').order('game_id').order('place').limit(MOST)
  return unwrap(await ordered.abortSignal(signal))
}

export type PodiumPlace = Awaited<ReturnType<typeof fetchMonth>>[number]

/**
 * The first three of every game in a month, which is named by its first day, sorted by the games'
 * names.
 */
export const monthQuery = (month: string) =>
  queryOptions({
    queryKey: podiumKeys.month(month),
    queryFn: ({ signal }) => fetchMonth(month, signal),
    staleTime: STALE_TIME.settled,
  })

/** The first three of a game in every month, the latest first. */
export const gameQuery = (slug: string) =>
  queryOptions({
    queryKey: podiumKeys.game(slug),
    queryFn: ({ signal }) => fetchGame(slug, signal),
    staleTime: STALE_TIME.settled,
  })

async function fetchGame(slug: string, signal: AbortSignal) {
  const [game, places] = await Promise.all([
    publicData
      .from('games')
      .select('name, slug, page_slug, logo_url')
      .eq('slug', slug)
      .abortSignal(signal)
      .maybeSingle(),
    select().eq('games.slug', slug).order('month', { ascending: false }).order('place').limit(MOST).abortSignal(signal),
  ])
  const found = unwrapOptional(game)
  return found && { game: found, places: unwrap(places) }
}

/** Past months with a podium, the latest first. */
export const monthsQuery = () =>
  queryOptions({
    queryKey: podiumKeys.months,
    queryFn: async ({ signal }) => {
      const rows = await publicData
        .from('podium_months')
        .select('month')
        .order('month', { ascending: false })
        .limit(MOST)
        .abortSignal(signal)
      return unwrap(rows).map(({ month }) => month)
    },
    staleTime: STALE_TIME.settled,
  })
