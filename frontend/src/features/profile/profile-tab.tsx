/** The first tab of the profile: who one is here, and what one has. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { Sections } from '@/components/ui/crash-boundary'
import { Near } from '@/components/ui/near'
import { lazyComponent } from '@/lib/browser/lazy'
import { decisionsQuery } from './api/decisions'
import { warningsQuery } from './api/warnings'
import { DetailsPanel } from './components/details-panel'

/** Below what is seen first. */
const ServersPanel = lazyComponent(async () => (await import('./components/servers-panel')).ServersPanel)
const PassPanel = lazyComponent(async () => (await import('./components/pass-panel')).PassPanel)
const ReviewsPanel = lazyComponent(async () => (await import('./components/reviews-panel')).ReviewsPanel)
/** What most people have nothing of: its code and texts are fetched where there is something to tell. */
const WarningsPanel = lazyComponent(async () => (await import('./components/warnings-panel')).WarningsPanel)
const DecisionsPanel = lazyComponent(async () => (await import('./components/decisions-panel')).DecisionsPanel)
/** With the code of those. */
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
      <Notices query={useQuery(warningsQuery(userId))}>
        <WarningsPanel userId={userId} />
      </Notices>
      <Notices query={useQuery(decisionsQuery())}>
        <DecisionsPanel />
      </Notices>
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

/** Draws what there is to say about some rows: those there are, or that they could not be read. */
function Notices({ query, children }: { query: UseQueryResult<unknown[]>; children: ReactNode }) {
  const isSilent = query.data === undefined ? !query.isError : query.data.length === 0
  return isSilent ? null : <Suspense>{children}</Suspense>
}
