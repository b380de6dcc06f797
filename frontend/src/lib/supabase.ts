/**
 * The one client of the API with sessions, functions and storage. Only `features/*\/api` and the
 * session provider may import it, and only from code that is loaded when it is needed.
 */
import { createClient } from '@supabase/supabase-js'
import { apiOrigin, config } from './config'
import type { Database } from './database'
import { SESSION_STORAGE_KEY, notifyClientLoaded, type Client } from './session-store'

export const supabase: Client = createClient<Database>(apiOrigin, config.anonKey, {
  // The client calls its passkeys experimental; whether the site takes any is in the service's settings.
  auth: { flowType: 'pkce', storageKey: SESSION_STORAGE_KEY, experimental: { passkey: true } },
})

// The query cache tries again, and says meanwhile what is so; the client has no setting for it.
supabase['rest'].retry = false

notifyClientLoaded(supabase)
