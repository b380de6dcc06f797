import { QueryClient } from '@tanstack/react-query'
import { ApiError, isOffline } from '@/lib/errors'

const RETRIES = 3
const LONGEST_WAIT = 30_000

/** Failures that another try may cure are tried again, ever more slowly; refusals are not. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 5 * 60_000,
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < RETRIES && mayPass(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, LONGEST_WAIT),
      },
    },
  })
}

function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || isOffline(error) || error.status >= 500 || error.status === 429
}
