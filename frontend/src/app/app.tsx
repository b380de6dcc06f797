import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useState } from 'react'
import { useLocation } from 'react-router'
import { CrashBoundary } from '@/components/ui/crash-boundary'
import { Spinner } from '@/components/ui/spinner'
import { lazyComponent } from '@/lib/browser/lazy'
import { SessionProvider } from '@/lib/session/session'
import type { Arrival } from '@/lib/session/session-store'
import { PageCrash } from './page-crash'
import { ProgressBar } from './progress-bar'
import { PageAt } from './router'
import { Shell } from './shell/shell'
import { useAddressRules } from './use-address-rules'

const NavigationEffects = lazyComponent(async () => (await import('./navigation-effects')).NavigationEffects)

export function App({ queries, arrival }: { queries: QueryClient; arrival: Arrival }) {
  return (
    <QueryClientProvider client={queries}>
      <CrashBoundary fallback={() => <PageCrash />}>
        <SessionProvider arrival={arrival}>
          <Pages queries={queries} />
        </SessionProvider>
      </CrashBoundary>
    </QueryClientProvider>
  )
}

function Pages({ queries }: { queries: QueryClient }) {
  useAddressRules()
  const location = useLocation()
  const [first] = useState(location)
  const [firstEntry] = useState((): unknown => window.history.state)
  const deferredLocation = useDeferredValue(location)
  // The old page stays, with its own address, until the next one can be drawn; a change of a page's
  // query string applies at once.
  const waiting = deferredLocation.pathname !== location.pathname
  const currentLocation = waiting ? deferredLocation : location
  return (
    <Shell>
      {waiting && <ProgressBar />}
      <Suspense>
        <NavigationEffects first={first} firstEntry={firstEntry} currentLocation={currentLocation} queries={queries} />
      </Suspense>
      <Suspense fallback={<Spinner />}>
        <CrashBoundary fallback={() => <PageCrash />} resetOn={currentLocation.pathname}>
          <PageAt location={currentLocation} />
        </CrashBoundary>
      </Suspense>
    </Shell>
  )
}
