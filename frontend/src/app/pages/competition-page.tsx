import type { QueryClient } from '@tanstack/react-query'
import { competitionQuery } from '@/features/competition/api/competition'
import { CompetitionPage as Page } from '@/features/competition/competition-page'
import type { PageMatch } from '@/lib/routing/pages'

/** The key gives each event a fresh state. */
export function CompetitionPage({ match: { params } }: { match: PageMatch }) {
  return <Page key={params.eventId} id={params.eventId ?? ''} />
}

export async function preloadRows(queries: QueryClient, { params: { eventId = '' } }: PageMatch): Promise<void> {
  await queries.prefetchQuery(competitionQuery(eventId))
}
