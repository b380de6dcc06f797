/** The first tab of the profile: who one is here, and what one has. */
import { Suspense } from 'react'
import { Sections } from '@/components/ui/crash-boundary'
import { lazyNamed } from '@/lib/lazy'
import { DetailsPanel } from './components/details-panel'
import { PassPanel } from './components/pass-panel'
import { PaymentsPanel, SpotsPanel } from './components/purchases-panels'
import { ReviewsPanel } from './components/reviews-panel'
import { ServersPanel } from './components/servers-panel'
import { WarningsPanel } from './components/warnings-panel'

const ExportPanel = lazyNamed(async () => (await import('./components/export-panel')).ExportPanel)

export function ProfileTab({ userId, email }: { userId: string; email: string }) {
  return (
    <Sections>
      <DetailsPanel userId={userId} email={email} />
      <WarningsPanel userId={userId} />
      <ServersPanel userId={userId} />
      <PassPanel userId={userId} />
      <ReviewsPanel userId={userId} />
      <SpotsPanel userId={userId} />
      <PaymentsPanel userId={userId} />
      <Suspense>
        <ExportPanel />
      </Suspense>
    </Sections>
  )
}
