import type { QueryClient } from '@tanstack/react-query'
import { gamesQuery } from '@/features/games/api/games'
import { listQuery } from '@/features/ranking-list/api/list'
import { readListState } from '@/features/ranking-list/model/list-state'
import { isShortcut, shortcutOf, type PageMatch } from '@/lib/pages'

/** The games and the list of a page that shows both. */
export function preloadRows(queries: QueryClient, { params }: PageMatch, query: URLSearchParams): void {
  void queries.prefetchQuery(gamesQuery())
  // Whether a game that is asked for shares this page is known with the games.
  if (!query.has('game')) void queries.prefetchQuery(listQuery(gamesOf(params), readListState(query)))
}

function gamesOf({ game, shortcut }: PageMatch['params']): readonly string[] {
  if (game !== undefined) return [game]
  if (shortcut !== undefined && isShortcut(shortcut)) return shortcutOf(shortcut).games
  return []
}
