/**
 * The only API client with sessions. Only `features/*\/api` and the session provider may import it,
 * and only from lazily loaded code. It is composed of the classes of the published client, without
 * the one for realtime channels, which is larger than the code for rows; files use
 * `lib/api/storage`, functions `lib/api/functions`.
 */
import { AuthClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { Client } from './client'
import { apiOrigin, config } from '@/lib/config'
import type { Database } from '@/lib/database'
import { SESSION_STORAGE_KEY, notifyClientLoaded } from '@/lib/session/session-store'

const auth = new AuthClient({
  url: `${apiOrigin}/auth/v1`,
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
  storageKey: SESSION_STORAGE_KEY,
  flowType: 'pkce',
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: true,
  // The client marks passkeys as experimental; the service's settings say whether the site supports
  // them.
  experimental: { passkey: true },
})

/**
 * Fetches with the token of the signed-in person, else as a guest. A session that is about to
 * expire is refreshed first.
 */
export const ownFetch: typeof fetch = async (input, init) => {
  const { data } = await auth.getSession()
  const headers = new Headers(init?.headers)
  if (!headers.has('apikey')) headers.set('apikey', config.anonKey)
  if (!headers.has('Authorization'))
    headers.set('Authorization', `Bearer ${data.session?.access_token ?? config.anonKey}`)
  return fetch(input, { ...init, headers })
}

class OwnClient extends PostgrestClient<Database> implements Client {
  readonly auth = auth
}

// The query cache retries, and shows the state meanwhile.
export const supabase: Client = new OwnClient(`${apiOrigin}/rest/v1`, { fetch: ownFetch, retry: false })

notifyClientLoaded(supabase)
