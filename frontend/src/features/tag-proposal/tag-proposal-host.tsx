/** The dialog that proposes a tag, on pages where tags are shown or chosen. */
import { Suspense } from 'react'
import { lazyComponent } from '@/lib/browser/lazy'
import { closeTagProposal, useTagProposal } from '@/entities/tag/proposal-dialog'
import { useWaitsForSignIn } from '@/lib/session/use-waits-for-sign-in'

const ProposalDialog = lazyComponent(async () => (await import('./components/proposal-dialog')).ProposalDialog)

export function TagProposalHost() {
  const user = useWaitsForSignIn(useTagProposal(), closeTagProposal)
  return <Suspense>{user && <ProposalDialog userId={user.id} />}</Suspense>
}
