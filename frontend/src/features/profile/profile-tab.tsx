/** The first tab of the profile: the person's details and possessions. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { Sections } from '@/components/ui/crash-boundary'
import { Near } from '@/components/ui/near'
import { lazyComponent } from '@/lib/browser/lazy'
import { decisionsQuery } from './api/decisions'
import { warningsQuery } from './api/warnings'
import { DetailsPanel } from './components/details-panel'

/** Loaded lazily, because it is below the first screen. */
const ServersPanel = lazyComponent(async () => (await import('./components/servers-panel')).ServersPanel)
const PassPanel = lazyComponent(async () => (await import('./components/pass-panel')).PassPanel)
const ReviewsPanel = lazyComponent(async () => (await import('./components/reviews-panel')).ReviewsPanel)
/** Most people have none: code and texts are loaded only when there is something to show. */
const WarningsPanel = lazyComponent(async () => (await import('./components/warnings-panel')).WarningsPanel)
const DecisionsPanel = lazyComponent(async () => (await import('./components/decisions-panel')).DecisionsPanel)
/** In the same chunk as these. */
const ExportPanel = lazyComponent(async () => (await import('./components/export-panel')).ExportPanel)

interface ProfileTabProps {
  userId: string
  email: string
  /** The purchases, side by side. */
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

/** Draws a section for existing rows, or a failure to read them. */
function Notices({ query, children }: { query: UseQueryResult<unknown[]>; children: ReactNode }) {
  const isSilent = query.data === undefined ? !query.isError : query.data.length === 0
  return isSilent ? null : <Suspense>{children}</Suspense>
}
