import type { QueryClient } from '@tanstack/react-query'
import { monthsQuery } from '@/features/hall-of-fame/api/podiums'

export { HallPage } from '@/features/hall-of-fame/hall-page'

export async function preloadRows(queries: QueryClient): Promise<void> {
  await queries.prefetchQuery(monthsQuery())
}
