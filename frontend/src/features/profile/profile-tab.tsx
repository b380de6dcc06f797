/** The first tab of the profile: who one is here, and what one has. */
import { Suspense, type ReactNode } from 'react'
import { Sections } from '@/components/ui/crash-boundary'
import { Near } from '@/components/ui/near'
import { lazyComponent } from '@/lib/browser/lazy'
import { DetailsPanel } from './components/details-panel'

/** Below what is seen first. */
const ServersPanel = lazyComponent(async () => (await import('./components/servers-panel')).ServersPanel)
const PassPanel = lazyComponent(async () => (await import('./components/pass-panel')).PassPanel)
const ReviewsPanel = lazyComponent(async () => (await import('./components/reviews-panel')).ReviewsPanel)
/** What most people have nothing of. */
const WarningsPanel = lazyComponent(async () => (await import('./components/warnings-panel')).WarningsPanel)
const DecisionsPanel = lazyComponent(async () => (await import('./components/decisions-panel')).DecisionsPanel)
const ExportPanel = lazyComponent(async () => (await import('./components/export-panel')).ExportPanel)

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
      <Suspense>
        <WarningsPanel userId={userId} />
      </Suspense>
      <Suspense>
        <DecisionsPanel />
      </Suspense>
      <Near height="14rem">
        <ServersPanel userId={userId} />
      </Near>
      <Near height="14rem">
        <PassPanel userId={userId} />
      </Near>
      <Near height="14rem">
        <ReviewsPanel userId={userId} />
      </Near>
      {purchases}
      <Suspense>
        <ExportPanel />
      </Suspense>
    </Sections>
  )
}
