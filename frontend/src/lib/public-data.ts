/**
 * Anonymous reads of what everyone may see. The same class stands behind `supabase.from`; taken alone it spares a
 * visitor who only looks at the ranking the code for sessions, storage and live channels.
 * What the server has written into the page is not asked for again.
 * Never carries a session: what depends on who asks goes through `supabase.ts`.
 */
import { PostgrestClient } from '@supabase/postgrest-js'
import { apiOrigin, config } from './config'
import type { Database } from './database'
import { takeWritten } from './written-rows'

export const publicData = new PostgrestClient<Database>(`${apiOrigin}/rest/v1`, {
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
  // The query cache tries again, and says meanwhile what is so.
  retry: false,
  // Looked up at each call: the client would otherwise keep the one that was there when it was made.
  fetch: async (input, init) => takeWritten(String(input), init?.method) ?? fetch(input, init),
})
