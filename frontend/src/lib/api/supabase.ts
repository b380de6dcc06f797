/**
 * The one client of the API with sessions. Only `features/*\/api` and the session provider may import it, and only from
 * code that is loaded when it is needed. It is made of the classes the published client is made of, without the one for
 * live channels, which no page opens and which weighs more than reading rows does; files have `lib/api/storage`,
 * functions `lib/api/functions`.
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
  // The client calls its passkeys experimental; whether the site takes any is in the service's settings.
  experimental: { passkey: true },
})

/** Asks as whoever is signed in, else as a visitor. The session is renewed first where it is about to end. */
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

// The query cache tries again, and says meanwhile what is so.
export const supabase: Client = new OwnClient(`${apiOrigin}/rest/v1`, { fetch: ownFetch, retry: false })

notifyClientLoaded(supabase)
