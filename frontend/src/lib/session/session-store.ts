/**
 * Notifies the session provider of the API client without importing it: a guest who only reads
 * never downloads it. Uses the client's type only.
 */
import type { Session } from '@supabase/supabase-js'
import type { Client } from '@/lib/api/client'
import { readStored } from '@/lib/browser/stored'

/** The storage key of the client's session; it exists if somebody was signed in here. */
export const SESSION_STORAGE_KEY = 'palmares-session'

let loaded: Client | null = null
const waiting = new Set<(client: Client) => void>()

/** Called once by `supabase.ts`. */
export function notifyClientLoaded(client: Client): void {
  loaded = client
  for (const listener of waiting) listener(client)
  waiting.clear()
}

/** Calls back with the client, now or when it is loaded. Returns a function that cancels. */
export function whenClientLoaded(listener: (client: Client) => void): () => void {
  if (loaded !== null) {
    listener(loaded)
    return () => {}
  }
  waiting.add(listener)
  return () => waiting.delete(listener)
}

/** Whether the page was opened by a link from one of our emails, valid or not. */
function isAuthLink(address: Pick<Location, 'search' | 'hash'>): boolean {
  return /[?&](code|error_code)=/.test(address.search) || /[#&](access_token|error_code)=/.test(address.hash)
}

/** What a link or a provider left in the address with which the page was opened. */
export interface Arrival {
  byLink: boolean
  /** Whether nobody was signed in here before, so that a session from the link is a new sign-in. */
  isNewSession: boolean
  /** The service's code for why the link or the provider failed. */
  refusal: string | null
}

/**
 * Call before anything is loaded: the client removes a link's parameters from the address and
 * stores its session.
 */
export function arrivalAt(address: Pick<Location, 'search' | 'hash'>): Arrival {
  const byLink = isAuthLink(address)
  const refusal =
    new URLSearchParams(address.search).get('error_code') ??
    new URLSearchParams(address.hash.slice(1)).get('error_code')
  return { byLink, isNewSession: byLink && !hasKeptSession(), refusal }
}

/** Whether the account has a second factor that this session has not verified. */
export function needsSecondStep(session: Pick<Session, 'access_token' | 'user'>): boolean {
  const isProtected = session.user.factors?.some((factor) => factor.status === 'verified') ?? false
  return isProtected && levelOf(session.access_token) !== 'aal2'
}

/** The assurance level in a token; the server verifies it. */
function levelOf(token: string): unknown {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    return JSON.parse(atob(payload)).aal
  } catch {
    return undefined
  }
}

/** Whether the client must be loaded at once: for a stored session, or one from a link. */
export function hasSessionToRead(address: Pick<Location, 'search' | 'hash'>): boolean {
  return isAuthLink(address) || hasKeptSession()
}

/** Whether somebody was signed in here when the page was last closed. */
export function hasKeptSession(): boolean {
  return readStored(SESSION_STORAGE_KEY) !== null
}
