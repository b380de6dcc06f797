import type { QueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { serverQueryAt } from '@/features/server-page/api/server'
import { ServerPage as Page } from '@/features/server-page/server-page'
import { lazyNamed } from '@/lib/lazy'
import type { PageMatch } from '@/lib/pages'
import { useTagProposal } from '@/lib/tag-proposal'

const TagProposalHost = lazyNamed(
  async () => (await import('@/features/tag-proposal/tag-proposal-host')).TagProposalHost,
)

export function ServerPage() {
  const isProposing = useTagProposal()
  return (
    <>
      <Page />
      <Suspense>{isProposing && <TagProposalHost />}</Suspense>
    </>
  )
}

export async function preloadRows(queries: QueryClient, { params }: PageMatch): Promise<void> {
  if (params.slug !== undefined) await queries.prefetchQuery(serverQueryAt(params.slug))
}
