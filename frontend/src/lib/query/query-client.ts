/**
 * The cache of rows, and what every change of them has in common: a mutation names in its `meta` what it makes stale
 * and what to say when it is done or refused, and this one place renews and says it.
 */
import { MutationCache, QueryClient, type MutationMeta, type QueryKey } from '@tanstack/react-query'
import { ApiError, isOffline, toApiError } from '@/lib/api/errors'
import { loadTexts, textOf, type TextKey } from '@/lib/i18n/i18n'
import type { Refusals } from '@/lib/i18n/refusal'
import { STALE_TIME } from '@/lib/query/stale-times'
import { openAuthDialog } from '@/lib/session/auth-dialog'

type Text = TextKey | { key: TextKey; values: Readonly<Record<string, string | number>> } | { plain: string }

/** A sentence, and what stands below it. */
interface ToastText {
  title: Text
  text?: Text
}

/** Functions get what the mutation got and gave; they are called with just that, which the type cannot know. */
interface MutationWords {
  /** What its rows are shown under; renewed whether it went well or was refused. */
  invalidates?: readonly QueryKey[] | ((variables: never) => readonly QueryKey[])
  /** Stays pending until those are renewed, so that nobody acts twice on a row that is about to go. */
  waits?: boolean
  done?: TextKey | ToastText | ((data: never, variables: never) => ToastText | null)
  /** What reads differently here than elsewhere, by code. */
  refusals?: Refusals
  /** A title, under which the reason stands; null where the refusal is said beside a field instead. */
  failed?: TextKey | ((error: ApiError, variables: never) => ToastText | null)
}

declare module '@tanstack/react-query' {
  interface Register {
    // An alias of its own, because an interface does not count as a record.
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
  /** Shows what a mutation has to say. */
  announce: (message: Announcement) => void
  /** How often a reading that may yet succeed is tried again. */
  retries?: number
}

const LONGEST_WAIT = 30_000

export function createQueryClient({ announce, retries = 3 }: QueryClientOptions): QueryClient {
  const mutationCache = new MutationCache({
    // Ahead of a refusal, which may be that nothing can be fetched any more. Who only looks needs neither.
    onMutate: () => {
      loadTexts('errors')
      loadRefusals().catch(() => {})
    },
    onSuccess: (data, variables, _result, { meta }) => {
      const said = typeof meta?.done === 'function' ? meta.done(data as never, variables as never) : meta?.done
      if (said) announce({ tone: 'success', ...inWords(said) })
    },
    onError: async (cause, variables, _result, { meta }) => {
      const error = toApiError(cause)
      const said = typeof meta?.failed === 'function' ? meta.failed(error, variables as never) : meta?.failed
      if (!said) return
      const reason = typeof said === 'string' ? await reasonFor(error, meta?.refusals) : {}
      announce({ tone: 'danger', ...reason, ...inWords(said) })
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
        // Asked for without a connection too: the refusal says so at once, where a pause would look like loading.
        networkMode: 'always',
        refetchOnReconnect: true,
        gcTime: 5 * 60_000,
        staleTime: STALE_TIME.moving,
        refetchOnWindowFocus: false,
        // Failures that another try may cure are tried again, ever more slowly; refusals are not.
        retry: (failures, error) => failures < retries && mayPass(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, LONGEST_WAIT),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

const loadRefusals = () => import('@/lib/i18n/refusal')

/** Texts that come with the script stand in where the words for refusals did not come. */
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

function inWords(said: TextKey | ToastText): { title: string; description?: string } {
  if (typeof said === 'string') return { title: textOf(said) }
  return { title: worded(said.title), ...(said.text !== undefined && { description: worded(said.text) }) }
}

function worded(text: Text): string {
  if (typeof text === 'string') return textOf(text)
  return 'plain' in text ? text.plain : textOf(text.key, text.values)
}

function mayPass(error: unknown): boolean {
  if (isOffline(error)) return navigator.onLine
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429
}
