import type { QueryClient } from '@tanstack/react-query'
import { monthPlacesQuery } from '@/features/hall-of-fame/api/month-places'
import { gameQuery, monthsQuery } from '@/features/hall-of-fame/api/podiums'
import { pageOfArchive } from '@/features/hall-of-fame/model/podiums'
import type { PageMatch } from '@/lib/routing/pages'

export { GameHallPage } from '@/features/hall-of-fame/game-hall-page'
export { HallPage } from '@/features/hall-of-fame/hall-page'
export { MonthArchivePage } from '@/features/hall-of-fame/month-archive-page'

export async function preloadRows(
  queries: QueryClient,
  { params: { game, month } }: PageMatch,
  query: URLSearchParams,
): Promise<void> {
  if (month !== undefined) {
    const places = monthPlacesQuery(`${month}-01`, game ?? null, pageOfArchive(query.get('page')))
    await Promise.all([queries.prefetchQuery(monthsQuery()), queries.prefetchQuery(places)])
    return
  }
  await (game === undefined ? queries.prefetchQuery(monthsQuery()) : queries.prefetchQuery(gameQuery(game)))
}
