/** The rows each page asks for first, so that they are on their way together with its code. */
import type { QueryClient } from '@tanstack/react-query'
import { gamesQuery } from '@/features/games/api/games'
import { listQuery } from '@/features/ranking-list/api/list'
import { readListState } from '@/features/ranking-list/model/list-state'
import { serverQueryAt } from '@/features/server-page/api/server'
import { isShortcut, shortcutOf, type PageMatch } from '@/lib/pages'

export function preloadRows(queries: QueryClient, { key, params }: PageMatch, query: URLSearchParams): void {
  if (key === 'home' || key === 'game' || key === 'shortcut') {
    void queries.prefetchQuery(gamesQuery())
    // Whether a game that is asked for shares this page is known with the games.
    if (!query.has('game')) void queries.prefetchQuery(listQuery(gamesOf(params), readListState(query)))
  }
  const server = params.slug
  if (server !== undefined) void queries.prefetchQuery(serverQueryAt(server))
}

function gamesOf({ game, shortcut }: PageMatch['params']): readonly string[] {
  if (game !== undefined) return [game]
  if (shortcut !== undefined && isShortcut(shortcut)) return shortcutOf(shortcut).games
  return []
}
