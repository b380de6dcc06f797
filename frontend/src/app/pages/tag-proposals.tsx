import { Suspense } from 'react'
import { lazyNamed } from '@/lib/lazy'
import { useTagProposal } from '@/lib/tag-proposal'

const TagProposalHost = lazyNamed(
  async () => (await import('@/features/tag-proposal/tag-proposal-host')).TagProposalHost,
)

/** The place of the dialog beside pages that show or choose tags; it comes when somebody proposes one. */
export function TagProposals() {
  const isProposing = useTagProposal()
  return <Suspense>{isProposing && <TagProposalHost />}</Suspense>
}
