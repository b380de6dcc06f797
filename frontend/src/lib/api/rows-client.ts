/**
 * The anonymous client of rest/v1. The same class is behind `supabase.from`. Only `public-data` may
 * import it, and only when something has to be fetched.
 */
import { PostgrestClient } from '@supabase/postgrest-js'
import { apiOrigin, config } from '@/lib/config'
import type { Database } from '@/lib/database'

export const rowsClient = new PostgrestClient<Database>(`${apiOrigin}/rest/v1`, {
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
  // The query cache retries, and shows the state meanwhile.
  retry: false,
  // Looked up at each call, because the client would keep the function that existed at its
  // creation.
  fetch: (input, init) => fetch(input, init),
})
