/**
 * Lets the session provider hear of the API client without importing it: a visitor who is signed
 * out and only looks never downloads it. Knows the client's type, nothing of sessions.
 */
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from './database'

export type Client = SupabaseClient<Database>

/** Where the client keeps the session; its presence means somebody was signed in here. */
export const SESSION_STORAGE_KEY = 'palmares-session'

let loaded: Client | null = null
const waiting = new Set<(client: Client) => void>()

/** Called once by `supabase.ts`. */
export function notifyClientLoaded(client: Client): void {
  loaded = client
  for (const listener of waiting) listener(client)
  waiting.clear()
}

/** Calls back with the client, now or when somebody loads it. Returns how to stop waiting. */
export function whenClientLoaded(listener: (client: Client) => void): () => void {
  if (loaded !== null) {
    listener(loaded)
    return () => {}
  }
  waiting.add(listener)
  return () => waiting.delete(listener)
}

/** Whether the page was opened by a link from one of our e-mails, good or spent. */
export function isAuthLink(address: Pick<Location, 'search' | 'hash'>): boolean {
  return /[?&](code|error_code)=/.test(address.search) || /[#&](access_token|error_code)=/.test(address.hash)
}

/** Whether the client must be loaded at once: a kept session, or one that a link brings. */
export function hasSessionToRead(address: Pick<Location, 'search' | 'hash'>): boolean {
  if (isAuthLink(address)) return true
  try {
    return localStorage.getItem(SESSION_STORAGE_KEY) !== null
  } catch {
    return false
  }
}
