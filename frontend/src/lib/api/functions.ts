/**
 * Clients of named functions. The class is the one behind `supabase.functions`; importing it alone
 * saves guests, who vote most, the code for sessions.
 */
import { FunctionsClient } from '@supabase/functions-js'
import { apiOrigin, config } from '@/lib/config'
import { hasSessionToRead } from '@/lib/session/session-store'

/** Calls functions as a guest, even if somebody is signed in. */
export const publicFunctions = new FunctionsClient(`${apiOrigin}/functions/v1`, {
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
})

/** Calls functions as the signed-in person, else as a guest. */
export async function ownFunctions(): Promise<FunctionsClient> {
  if (!hasSessionToRead(window.location)) return publicFunctions
  const { ownFetch } = await import('./supabase')
  return new FunctionsClient(`${apiOrigin}/functions/v1`, { customFetch: ownFetch })
}
