import type { QueryData } from '@supabase/supabase-js'
import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import type { VoteTarget } from '@/entities/vote/dialog'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** As many ids as fit into an address. */
const AT_ONCE = 80

const COLUMNS = `
  id, slug, name, logo_image_url, monthly_votes, game_rank, is_online, online_players, max_players, status_checked_at,
  games(name, slug, page_slug, nickname_pattern)` as const

const selectServers = () => publicData.from('servers_public').select(COLUMNS)

/** A favorite as its card shows it; its name is stored text. */
export type FavoriteServer = QueryData<ReturnType<typeof selectServers>>[number]

/** Those of the servers that are listed, in the order of the given ids. */
export const favoriteServersQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: serverKeys.favorites(ids),
    queryFn: ({ signal }) => fetchServers(ids, signal),
    staleTime: STALE_TIME.recent,
  })

async function fetchServers(ids: readonly string[], signal: AbortSignal): Promise<FavoriteServer[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) =>
    ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  )
  const answers = await Promise.all(
    parts.map(async (part) => unwrap(await selectServers().in('id', part).abortSignal(signal))),
  )
  const found = new Map(answers.flat().map((server) => [server.id, server]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

export function voteTargetOf(server: FavoriteServer): VoteTarget {
  return {
    id: server.id,
    name: server.name,
    logoUrl: server.logo_image_url,
    monthlyVotes: server.monthly_votes,
    game: server.games?.name ?? null,
    nicknamePattern: server.games?.nickname_pattern ?? null,
  }
}
