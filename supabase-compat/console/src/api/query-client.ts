/**
 * One cache for all screens. A failed mutation shows a notification, unless the screen shows the
 * refusal beside its field.
 */
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client'

declare module '@tanstack/react-query' {
  interface Register {
    /** `isQuiet`: the screen shows the refusal itself. */
    mutationMeta: { isQuiet?: boolean }
  }
}

export function makeQueryClient(onRefusal: (error: Error) => void): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Refusals are not retried; requests without a response are.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
        refetchOnWindowFocus: true,
      },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.isQuiet) onRefusal(error)
      },
    }),
  })
}
