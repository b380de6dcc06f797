/**
 * Anonymous reads of public data. A query is recorded call by call. When it is awaited, rows that
 * the server has written into the page answer it; only missing ones are requested from rest/v1,
 * whose client is loaded then. So the ranking is shown before the code of the client has arrived.
 * Never uses a session: reads that depend on the viewer go through `supabase.ts`.
 */
import type { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '@/lib/database'
import { loadWithRetry } from '@/lib/browser/lazy'
import { loadRowsClient } from './load-rows-client'
import { takeWritten, type Call } from './written-rows'

export const publicData = noted([]) as PostgrestClient<Database>

/** A proxy for a query of the client: records all calls, and can be awaited. */
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

/** The result if the client's code could not be loaded; loading is retried. */
function unreachable(cause: unknown) {
  if (!isAwaited) void loadWithRetry(loadRowsClient)
  isAwaited = true
  return { data: null, count: null, status: 0, error: { message: `fetch of the client failed: ${String(cause)}` } }
}
