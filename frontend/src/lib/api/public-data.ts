/**
 * Anonymous reads of what everyone may see. A question is noted down call by call. When it is awaited, what the server has
 * written into the page answers it; only what is not there is asked of rest/v1, and only then is its client fetched. So
 * whoever looks at the ranking sees it before the code for asking has come.
 * Never carries a session: what depends on who asks goes through `supabase.ts`.
 */
import type { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '@/lib/database'
import { loadWithRetry } from '@/lib/browser/lazy'
import { loadRowsClient } from './load-rows-client'
import { takeWritten, type Call } from './written-rows'

export const publicData = noted([]) as PostgrestClient<Database>

/** Stands for a query of the client: takes any of its calls, and can be awaited. */
function noted(calls: readonly Call[]): unknown {
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (typeof name === 'symbol') return undefined
      if (name !== 'then') return (...args: unknown[]) => noted([...calls, [name, args]])
      if (calls.length === 0) return undefined
      return (...settled: Parameters<Promise<unknown>['then']>) => answer(calls).then(...settled)
    },
  })
}

async function answer(calls: readonly Call[]): Promise<unknown> {
  const written = takeWritten(calls)
  if (written !== null) return written
  const client = await loadRowsClient().catch(unreachable)
  return 'rowsClient' in client ? repeated(client.rowsClient, calls) : client
}

function repeated(client: object, calls: readonly Call[]): unknown {
  let query: unknown = client
  for (const [name, args] of calls) query = (query as Record<string, (...args: unknown[]) => unknown>)[name]!(...args)
  return query
}

let isAwaited = false

/** As the client answers when nothing does: its code did not come, which is asked for until it does. */
function unreachable(cause: unknown) {
  if (!isAwaited) void loadWithRetry(loadRowsClient)
  isAwaited = true
  return { data: null, count: null, status: 0, error: { message: `fetch of the client failed: ${String(cause)}` } }
}
