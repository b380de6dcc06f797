import type { QueryClient } from '@tanstack/react-query'
import { serverQueryAt } from '@/features/server-page/api/server'
import { ServerPage as Page } from '@/features/server-page/server-page'
import type { PageMatch } from '@/lib/routing/pages'
import { TagProposals } from './tag-proposals'

export function ServerPage() {
  return (
    <>
      <Page />
      <TagProposals />
    </>
  )
}

export async function preloadRows(queries: QueryClient, { params }: PageMatch): Promise<void> {
  if (params.slug !== undefined) await queries.prefetchQuery(serverQueryAt(params.slug))
}
