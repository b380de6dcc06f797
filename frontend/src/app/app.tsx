import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useRoutes } from 'react-router'
import { Spinner } from '@/components/ui/spinner'
import { SessionProvider } from '@/lib/session'
import { CrashBoundary } from './crash-boundary'
import { routes } from './router'
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
  const page = useRoutes(routes)
  return (
    <Shell>
      <CrashBoundary>
        <Suspense fallback={<Spinner />}>{page}</Suspense>
      </CrashBoundary>
    </Shell>
  )
}
