import type { QueryClient } from '@tanstack/react-query'
import { gamesQuery } from '@/entities/game/queries'
import { arcadeSpotsQuery } from '@/features/home/api/arcade-spots'
import { competitiveEventQuery } from '@/features/home/api/competitive-event'
import { siteStatsQuery } from '@/features/home/api/site-stats'
import { listQuery } from '@/features/ranking-list/api/list'
import { tagsQuery } from '@/entities/tag/queries'
import { readListState } from '@/features/ranking-list/model/list-state'
import { siteSettingsQuery } from '@/entities/setting/queries'
import { isShortcut, shortcutOf, type PageMatch } from '@/lib/routing/pages'

/** The games and the list; then the rows around the list, which must not delay these. */
export async function preloadRows(queries: QueryClient, { params }: PageMatch, query: URLSearchParams): Promise<void> {
  const games = gamesOf(params)
  await Promise.all([
    queries.prefetchQuery(gamesQuery()),
    // Whether the requested game shares this page is known only with the games.
    !query.has('game') && queries.prefetchQuery(listQuery(games, readListState(query))),
  ])
  await Promise.all([
    queries.prefetchQuery(tagsQuery()),
    queries.prefetchQuery(siteSettingsQuery()),
    queries.prefetchQuery(competitiveEventQuery()),
    queries.prefetchQuery(arcadeSpotsQuery()),
    games.length === 0 && queries.prefetchQuery(siteStatsQuery()),
  ])
}

function gamesOf({ game, shortcut }: PageMatch['params']): readonly string[] {
  if (game !== undefined) return [game]
  if (shortcut !== undefined && isShortcut(shortcut)) return shortcutOf(shortcut).games
  return []
}
