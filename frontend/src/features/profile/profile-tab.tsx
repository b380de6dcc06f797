/** The first tab of the profile: who one is here, and what one has. */
import { Suspense, type ReactNode } from 'react'
import { Sections } from '@/components/ui/crash-boundary'
import { lazyNamed } from '@/lib/browser/lazy'
import { DetailsPanel } from './components/details-panel'
import { PassPanel } from './components/pass-panel'
import { ReviewsPanel } from './components/reviews-panel'
import { ServersPanel } from './components/servers-panel'
import { WarningsPanel } from './components/warnings-panel'

/** What most people have nothing of. */
const DecisionsPanel = lazyNamed(async () => (await import('./components/decisions-panel')).DecisionsPanel)
const ExportPanel = lazyNamed(async () => (await import('./components/export-panel')).ExportPanel)

interface ProfileTabProps {
  userId: string
  email: string
  /** What they bought, one part beside the other. */
  purchases: ReactNode
}

export function ProfileTab({ userId, email, purchases }: ProfileTabProps) {
  return (
    <Sections>
      <DetailsPanel userId={userId} email={email} />
      <WarningsPanel userId={userId} />
      <Suspense>
        <DecisionsPanel />
      </Suspense>
      <ServersPanel userId={userId} />
      <PassPanel userId={userId} />
      <ReviewsPanel userId={userId} />
      {purchases}
      <Suspense>
        <ExportPanel />
      </Suspense>
    </Sections>
  )
}
