import { Suspense } from 'react'
import { lazyComponent } from '@/lib/browser/lazy'
import { useTagProposal } from '@/entities/tag/proposal-dialog'

const TagProposalHost = lazyComponent(
  async () => (await import('@/features/tag-proposal/tag-proposal-host')).TagProposalHost,
)

/** The place of the dialog beside pages that show or choose tags; it comes when somebody proposes one. */
export function TagProposals() {
  const isProposing = useTagProposal()
  return <Suspense>{isProposing && <TagProposalHost />}</Suspense>
}
