import type { QueryClient } from '@tanstack/react-query'
import { serverQueryAt } from '@/features/server-page/api/server'
import type { PageMatch } from '@/lib/pages'

export { ServerPage } from '@/features/server-page/server-page'

export function preloadRows(queries: QueryClient, { params }: PageMatch): void {
  if (params.slug !== undefined) void queries.prefetchQuery(serverQueryAt(params.slug))
}
