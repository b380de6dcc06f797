import type { QueryClient } from '@tanstack/react-query'
import { gameQuery } from '@/features/hall-of-fame/api/podiums'
import type { PageMatch } from '@/lib/pages'

export { GameHallPage } from '@/features/hall-of-fame/game-hall-page'

export async function preloadRows(queries: QueryClient, { params }: PageMatch): Promise<void> {
  if (params.game !== undefined) await queries.prefetchQuery(gameQuery(params.game))
}
