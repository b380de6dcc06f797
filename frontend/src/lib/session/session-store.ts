/**
 * Lets the session provider hear of the API client without importing it: a visitor who is signed
 * out and only looks never downloads it. Knows the client's type, nothing of sessions.
 */
import type { Session } from '@supabase/supabase-js'
import type { Client } from '@/lib/api/client'
import { readStored } from '@/lib/browser/stored'

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
function isAuthLink(address: Pick<Location, 'search' | 'hash'>): boolean {
  return /[?&](code|error_code)=/.test(address.search) || /[#&](access_token|error_code)=/.test(address.hash)
}

/** How the page was opened: what a link or a provider left in the address. */
export interface Arrival {
  byLink: boolean
  /** Whether nobody was signed in here before, so that a session which the link brings is a sign-in. */
  bySomebodyNew: boolean
  /** The service's code for why the link or the provider did not do what it should. */
  refusal: string | null
}

/** To be asked before anything is loaded: the client takes a link's marks off the address and keeps what they bring. */
export function arrivalAt(address: Pick<Location, 'search' | 'hash'>): Arrival {
  const byLink = isAuthLink(address)
  const refusal =
    new URLSearchParams(address.search).get('error_code') ??
    new URLSearchParams(address.hash.slice(1)).get('error_code')
  return { byLink, bySomebodyNew: byLink && !hasKeptSession(), refusal }
}

/** Whether the account has a second factor that this session has not shown. */
export function needsSecondStep(session: Pick<Session, 'access_token' | 'user'>): boolean {
  const isProtected = session.user.factors?.some((factor) => factor.status === 'verified') ?? false
  return isProtected && levelOf(session.access_token) !== 'aal2'
}

/** The assurance level a token carries; whether to believe it is the server's business. */
function levelOf(token: string): unknown {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    return JSON.parse(atob(payload)).aal
  } catch {
    return undefined
  }
}

/** Whether the client must be loaded at once: a kept session, or one that a link brings. */
export function hasSessionToRead(address: Pick<Location, 'search' | 'hash'>): boolean {
  return isAuthLink(address) || hasKeptSession()
}

/** Whether somebody was signed in here when the page was last left. */
export function hasKeptSession(): boolean {
  return readStored(SESSION_STORAGE_KEY) !== null
}
