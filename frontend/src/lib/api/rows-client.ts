/**
 * The client of rest/v1 for whoever is not signed in. The same class stands behind `supabase.from`. Only `public-data` may
 * import it, and only when something has to be fetched.
 */
import { PostgrestClient } from '@supabase/postgrest-js'
import { apiOrigin, config } from '@/lib/config'
import type { Database } from '@/lib/database'

export const rowsClient = new PostgrestClient<Database>(`${apiOrigin}/rest/v1`, {
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
  // The query cache tries again, and says meanwhile what is so.
  retry: false,
  // Looked up at each call: the client would otherwise keep the one that was there when it was made.
  fetch: (input, init) => fetch(input, init),
})
