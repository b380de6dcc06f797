import type { QueryClient } from '@tanstack/react-query'
import { leadersQuery } from '@/features/leaderboard/api/leaders'
import { periodOf } from '@/features/leaderboard/model/period'
import type { PageMatch } from '@/lib/routing/pages'

export { LeaderboardPage } from '@/features/leaderboard/leaderboard-page'

export async function preloadRows(queries: QueryClient, _: PageMatch, query: URLSearchParams): Promise<void> {
  await queries.prefetchQuery(leadersQuery(periodOf(query)))
}
