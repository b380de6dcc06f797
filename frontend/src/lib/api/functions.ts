/**
 * Named functions, called as whoever is here. The class is the one behind `supabase.functions`; taken alone it spares
 * guests, who vote most, the code for sessions.
 */
import { FunctionsClient } from '@supabase/functions-js'
import { apiOrigin, config } from '@/lib/config'
import { hasSessionToRead } from '@/lib/session/session-store'

/** As a guest, whoever is signed in. */
export const publicFunctions = new FunctionsClient(`${apiOrigin}/functions/v1`, {
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
})

/** As the signed-in person where there is one, else as a guest. */
export async function ownFunctions(): Promise<FunctionsClient> {
  if (!hasSessionToRead(window.location)) return publicFunctions
  const { ownFetch } = await import('./supabase')
  return new FunctionsClient(`${apiOrigin}/functions/v1`, { customFetch: ownFetch })
}
