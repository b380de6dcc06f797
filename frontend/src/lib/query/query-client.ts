/**
 * The query cache, and what all mutations share: a mutation declares in its `meta` what it
 * invalidates and its messages; this module invalidates and shows them.
 */
import { MutationCache, QueryClient, type MutationMeta, type QueryKey } from '@tanstack/react-query'
import { ApiError, isOffline, toApiError } from '@/lib/api/errors'
import { loadTexts, textOf, type TextKey } from '@/lib/i18n/i18n'
import type { Refusals } from '@/lib/i18n/refusal'
import { STALE_TIME } from '@/lib/query/stale-times'
import { openAuthDialog } from '@/lib/session/auth-dialog'

type Text = TextKey | { key: TextKey; values: Readonly<Record<string, string | number>> } | { plain: string }

/** A title, and the text below it. */
interface ToastText {
  title: Text
  text?: Text
}

/** Functions get the variables and the result of the mutation, which the type cannot express. */
interface MutationWords {
  /** The keys to invalidate, after success or refusal. */
  invalidates?: readonly QueryKey[] | ((variables: never) => readonly QueryKey[])
  /**
   * Stays pending until those are refetched, so that nobody acts twice on a row that is about to
   * disappear.
   */
  waits?: boolean
  done?: TextKey | ToastText | ((data: never, variables: never) => ToastText | null)
  /** Texts of refusals that differ here, by code. */
  refusals?: Refusals
  /** The title above the reason; null if a field shows the refusal. */
  failed?: TextKey | ((error: ApiError, variables: never) => ToastText | null)
}

declare module '@tanstack/react-query' {
  interface Register {
    // A mapped type, because an interface is not assignable to a record.
    mutationMeta: { [Word in keyof MutationWords]: MutationWords[Word] }
  }
}

interface Announcement {
  tone: 'success' | 'danger'
  title: string
  description?: string | undefined
  action?: { label: string; onSelect: () => void }
}

interface QueryClientOptions {
  /** Shows the message of a mutation. */
  announce: (message: Announcement) => void
  /** How often a query that failed temporarily is retried. */
  retries?: number
}

const LONGEST_WAIT = 30_000

export function createQueryClient({ announce, retries = 3 }: QueryClientOptions): QueryClient {
  const mutationCache = new MutationCache({
    // Loads toasts and texts before a refusal, after which nothing may be loadable. Readers who
    // change nothing need neither.
    onMutate: () => {
      loadTexts('errors')
      loadRefusals().catch(() => {})
    },
    onSuccess: (data, variables, _result, { meta }) => {
      const message = typeof meta?.done === 'function' ? meta.done(data as never, variables as never) : meta?.done
      if (message) announce({ tone: 'success', ...inWords(message) })
    },
    onError: async (cause, variables, _result, { meta }) => {
      const error = toApiError(cause)
      const message = typeof meta?.failed === 'function' ? meta.failed(error, variables as never) : meta?.failed
      if (!message) return
      const reason = typeof message === 'string' ? await reasonFor(error, meta?.refusals) : {}
      announce({ tone: 'danger', ...reason, ...inWords(message) })
    },
    onSettled: (_data, _error, variables, _result, { meta }, { client }) => {
      const renewed = Promise.all(staleKeys(meta, variables).map((queryKey) => client.invalidateQueries({ queryKey })))
      return meta?.waits ? renewed : undefined
    },
  })
  return new QueryClient({
    mutationCache,
    defaultOptions: {
      queries: {
        // Runs without a connection, too: the refusal says so at once, whereas a pause would look
        // like loading.
        networkMode: 'always',
        refetchOnReconnect: true,
        gcTime: 5 * 60_000,
        staleTime: STALE_TIME.moving,
        refetchOnWindowFocus: false,
        // Temporary failures are retried with growing delays; refusals are not.
        retry: (failures, error) => failures < retries && mayPass(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, LONGEST_WAIT),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

const loadRefusals = () => import('@/lib/i18n/refusal')

/** Texts that are part of the script replace refusal texts that could not be loaded. */
async function reasonFor(error: ApiError, refusals?: Refusals): Promise<Pick<Announcement, 'description' | 'action'>> {
  const words = await loadRefusals().catch(() => null)
  if (words === null) return { description: textOf('trouble:waiting.text') }
  const description = words.refusalText(error, refusals)
  if (words.refusalKey(error, refusals) !== 'errors:sessionEnded') return { description }
  return { description, action: { label: textOf('errors:signInAgain'), onSelect: () => openAuthDialog('signIn') } }
}

function staleKeys(meta: MutationMeta | undefined, variables: unknown): readonly QueryKey[] {
  if (typeof meta?.invalidates === 'function') return meta.invalidates(variables as never)
  return meta?.invalidates ?? []
}

function inWords(message: TextKey | ToastText): { title: string; description?: string } {
  if (typeof message === 'string') return { title: textOf(message) }
  return { title: worded(message.title), ...(message.text !== undefined && { description: worded(message.text) }) }
}

function worded(text: Text): string {
  if (typeof text === 'string') return textOf(text)
  return 'plain' in text ? text.plain : textOf(text.key, text.values)
}

function mayPass(error: unknown): boolean {
  if (isOffline(error)) return navigator.onLine
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429
}
