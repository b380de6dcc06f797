import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Suspense, useDeferredValue } from 'react'
import { useLocation, useRoutes } from 'react-router'
import { Spinner } from '@/components/ui/spinner'
import { SessionProvider } from '@/lib/session'
import { CrashBoundary } from './crash-boundary'
import { routesAt } from './router'
import { Shell } from './shell/shell'
import { useAddressRules } from './use-address-rules'

export function App({ queries }: { queries: QueryClient }) {
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <Pages />
      </SessionProvider>
    </QueryClientProvider>
  )
}

function Pages() {
  useAddressRules()
  const location = useLocation()
  const drawn = useDeferredValue(location)
  // The old page stays, with its own address, until the next one can be drawn; the query of a page counts at once.
  const shown = drawn.pathname === location.pathname ? location : drawn
  const page = useRoutes(routesAt(shown.pathname), shown)
  return (
    <Shell>
      <CrashBoundary>
        <Suspense fallback={<Spinner />}>{page}</Suspense>
      </CrashBoundary>
    </Shell>
  )
}
