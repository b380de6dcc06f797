import type { QueryClient } from '@tanstack/react-query'
import { competitionQuery } from '@/features/competition/api/competition'
import type { PageMatch } from '@/lib/pages'

export { CompetitionPage } from '@/features/competition/competition-page'

export async function preloadRows(queries: QueryClient, { params: { eventId = '' } }: PageMatch): Promise<void> {
  await queries.prefetchQuery(competitionQuery(eventId))
}
