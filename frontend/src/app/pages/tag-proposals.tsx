import { Suspense } from 'react'
import { lazyComponent } from '@/lib/browser/lazy'
import { useTagProposal } from '@/entities/tag/proposal-dialog'

const TagProposalHost = lazyComponent(
  async () => (await import('@/features/tag-proposal/tag-proposal-host')).TagProposalHost,
)

/** The dialog of pages that show or choose tags; its code is fetched when somebody proposes one. */
export function TagProposals() {
  const isProposing = useTagProposal()
  return <Suspense>{isProposing && <TagProposalHost />}</Suspense>
}
