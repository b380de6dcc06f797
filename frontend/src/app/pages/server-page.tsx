import type { QueryClient } from '@tanstack/react-query'
import { serverQueryAt } from '@/features/server-page/api/server'
import { ServerPage as Page } from '@/features/server-page/server-page'
import { TagProposalHost } from '@/features/tag-proposal/tag-proposal-host'
import type { PageMatch } from '@/lib/pages'

export function ServerPage() {
  return (
    <>
      <Page />
      <TagProposalHost />
    </>
  )
}

export async function preloadRows(queries: QueryClient, { params }: PageMatch): Promise<void> {
  if (params.slug !== undefined) await queries.prefetchQuery(serverQueryAt(params.slug))
}
