import type { QueryClient } from '@tanstack/react-query'
import { gameQuery, monthsQuery } from '@/features/hall-of-fame/api/podiums'
import type { PageMatch } from '@/lib/pages'

export { GameHallPage } from '@/features/hall-of-fame/game-hall-page'
export { HallPage } from '@/features/hall-of-fame/hall-page'

export async function preloadRows(queries: QueryClient, { params: { game } }: PageMatch): Promise<void> {
  await (game === undefined ? queries.prefetchQuery(monthsQuery()) : queries.prefetchQuery(gameQuery(game)))
}
