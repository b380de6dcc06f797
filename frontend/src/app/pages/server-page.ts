import type { QueryClient } from '@tanstack/react-query'
import { serverQueryAt } from '@/features/server-page/api/server'
import type { PageMatch } from '@/lib/pages'

export { ServerPage } from '@/features/server-page/server-page'

export async function preloadRows(queries: QueryClient, { params }: PageMatch): Promise<void> {
  if (params.slug !== undefined) await queries.prefetchQuery(serverQueryAt(params.slug))
}
