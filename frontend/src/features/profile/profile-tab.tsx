/** The first tab of the profile: who one is here, and what one has. */
import { Sections } from '@/components/ui/crash-boundary'
import { DetailsPanel } from './components/details-panel'
import { ExportPanel } from './components/export-panel'
import { PassPanel } from './components/pass-panel'
import { PaymentsPanel, SpotsPanel } from './components/purchases-panels'
import { ReviewsPanel } from './components/reviews-panel'
import { ServersPanel } from './components/servers-panel'
import { WarningsPanel } from './components/warnings-panel'

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
      <ExportPanel />
    </Sections>
  )
}
