/**
 * The session of the whole page. Follows the client's session events and adds the profile's name
 * and role. The auth feature shows toasts, triggered by `SessionEvent`s.
 */
import type { Session, User } from '@supabase/supabase-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { toApiError, unwrap } from '@/lib/api/errors'
import { isOwn } from '@/lib/query/own-rows'
import { STALE_TIME } from '@/lib/query/stale-times'
import { sessionKeys } from './keys'
import { hasKeptSession, needsSecondStep, whenClientLoaded, type Arrival } from './session-store'

/**
 * `second-step`: the password was right and the account's second factor must still be verified.
 * `link-failed`: a link from an email was opened but did not sign in.
 */
export type SessionEvent =
  'signed-in' | 'second-step' | 'signed-out' | 'session-ended' | 'sign-out-failed' | 'link-failed'

export interface Profile {
  role: string
  username: string | null
  /** Whether this person has listed a server. */
  ownsServers: boolean
}

export interface SessionValue {
  /** `out` until every step of a sign-in is done. */
  status: 'loading' | 'out' | 'in'
  user: User | null
  /** Null while it loads and while nobody is signed in. */
  profile: Profile | null
  /** Whether the profile could not be read: the person's rights are unknown then. */
  profileFailed: boolean
  reloadProfile: () => void
  /** Whether a sign-in waits for its second factor. */
  awaitsSecondStep: boolean
  /** What a link or a provider left in the address with which the page was opened. */
  arrival: Arrival
  /** Signs out here, or on every device. */
  signOut: (scope?: 'local' | 'global') => Promise<void>
}

const SessionContext = createContext<SessionValue | null>(null)
const eventListeners = new Set<(event: SessionEvent) => void>()

let muted = false

function emit(event: SessionEvent): void {
  if (muted) return
  for (const listener of eventListeners) listener(event)
}

/** Calls the listener for sign-ins and sign-outs after the initial session is known. */
export function useSessionEvents(listener: (event: SessionEvent) => void): void {
  useEffect(() => {
    eventListeners.add(listener)
    return () => {
      eventListeners.delete(listener)
    }
  }, [listener])
}

/** Runs `work` without session events, for callers that show a message of their own. */
export async function muteSessionEvents<T>(work: () => Promise<T>): Promise<T> {
  muted = true
  try {
    return await work()
  } finally {
    muted = false
  }
}

export function useSession(): SessionValue {
  const value = use(SessionContext)
  if (value === null) throw new Error('useSession needs a SessionProvider above it')
  return value
}

/** `arrival` is read before the client is loaded, which any component may cause. */
export function SessionProvider({ arrival, children }: { arrival: Arrival; children: ReactNode }) {
  // Undefined until the initial session is known.
  const [session, setSession] = useState<Session | null | undefined>(() =>
    arrival.byLink || hasKeptSession() ? undefined : null,
  )
  const signingOut = useRef(false)
  const queries = useQueryClient()

  useEffect(() => {
    let stop = (): void => {}
    const unwait = whenClientLoaded((client) => {
      let known: SignInStep | undefined
      const { data } = client.auth.onAuthStateChange((event, next) => {
        const now = signInStepOf(next)
        const announced = eventFor(known, now, signingOut.current)
        if (event === 'INITIAL_SESSION' || known !== undefined) known = now
        setSession(next)
        if (event === 'INITIAL_SESSION' && arrival.byLink) leaveLink()
        if (event === 'INITIAL_SESSION' && now === 'out' && arrival.byLink) emit('link-failed')
        if (event === 'INITIAL_SESSION' && now === 'in' && arrival.isNewSession) emit('signed-in')
        if (announced !== null) emit(announced)
      })
      stop = () => data.subscription.unsubscribe()
    })
    if (arrival.byLink || hasKeptSession()) import('@/lib/api/supabase').catch(() => setSession(null))
    return () => {
      unwait()
      stop()
    }
  }, [arrival])

  const awaitsSecondStep = signInStepOf(session ?? null) === 'halfway'
  const user = awaitsSecondStep ? null : (session?.user ?? null)
  const userId = user?.id ?? null
  const previousUser = useRef<string | null>(null)
  useEffect(() => {
    // Rows that depend on the viewer must not outlive that person's session.
    if (previousUser.current !== null && previousUser.current !== userId) queries.removeQueries({ predicate: isOwn })
    previousUser.current = userId
  }, [queries, userId])

  const profile = useQuery({
    queryKey: sessionKeys.profile(userId),
    queryFn: ({ signal }) => loadProfile(userId ?? '', signal),
    enabled: userId !== null,
    staleTime: STALE_TIME.settled,
  })

  const signOut = useCallback(async (scope: 'local' | 'global' = 'local') => {
    signingOut.current = true
    try {
      const { supabase } = await import('@/lib/api/supabase')
      const { error } = await supabase.auth.signOut({ scope })
      if (error !== null) throw toApiError(error)
    } catch {
      emit('sign-out-failed')
    } finally {
      signingOut.current = false
    }
  }, [])

  const { refetch } = profile
  const reloadProfile = useCallback(() => void refetch(), [refetch])

  const value = useMemo<SessionValue>(
    () => ({
      status: session === undefined ? 'loading' : user === null ? 'out' : 'in',
      user,
      profile: profile.data ?? null,
      profileFailed: profile.isError && profile.data === undefined && !profile.isFetching,
      reloadProfile,
      awaitsSecondStep,
      arrival,
      signOut,
    }),
    [
      session,
      user,
      profile.data,
      profile.isError,
      profile.isFetching,
      reloadProfile,
      awaitsSecondStep,
      arrival,
      signOut,
    ],
  )
  return <SessionContext value={value}>{children}</SessionContext>
}

type SignInStep = 'out' | 'halfway' | 'in'

function signInStepOf(session: Session | null): SignInStep {
  if (session === null) return 'out'
  return needsSecondStep(session) ? 'halfway' : 'in'
}

/** The event for a change; before the initial session is known only `second-step`. */
function eventFor(before: SignInStep | undefined, after: SignInStep, signingOut: boolean): SessionEvent | null {
  if (after === 'halfway') return before === 'halfway' ? null : 'second-step'
  if (before === undefined || before === after) return null
  if (after === 'in') return 'signed-in'
  // A sign-in that was abandoned halfway was never announced.
  if (before === 'halfway') return null
  return signingOut ? 'signed-out' : 'session-ended'
}

/** Removes the parameters of a link from the address, so that its outcome is shown once. */
function leaveLink(): void {
  const { pathname, search } = window.location
  const rest = new URLSearchParams(search)
  for (const mark of ['code', 'error', 'error_code', 'error_description', 'sb']) rest.delete(mark)
  window.history.replaceState(window.history.state, '', pathname + (rest.size > 0 ? `?${rest}` : ''))
}

async function loadProfile(userId: string, signal: AbortSignal): Promise<Profile> {
  const { supabase } = await import('@/lib/api/supabase')
  const answer = await supabase
    .from('profiles')
    .select('role, username, servers(id)')
    .eq('id', userId)
    .limit(1, { referencedTable: 'servers' })
    .abortSignal(signal)
    .single()
  const row = unwrap(answer)
  return { role: row.role, username: row.username, ownsServers: row.servers.length > 0 }
}
