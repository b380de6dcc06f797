/**
 * Who is signed in, for the whole page. Follows the client's session events and adds the profile's
 * name and role. What to say about them (toasts) is the auth feature's, which listens to `SessionEvent`s.
 */
import type { Session, User } from '@supabase/supabase-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { toApiError, unwrap } from './errors'
import { hasSessionToRead, isAuthLink, whenClientLoaded } from './session-store'

/** `link-failed`: a link from an e-mail was followed and nobody is signed in by it. */
export type SessionEvent = 'signed-in' | 'signed-out' | 'session-ended' | 'sign-out-failed' | 'link-failed'

export interface Profile {
  role: string
  username: string | null
}

export interface SessionValue {
  status: 'loading' | 'out' | 'in'
  user: User | null
  /** Null while it loads and while nobody is signed in. */
  profile: Profile | null
  signOut: () => Promise<void>
}

const SessionContext = createContext<SessionValue | null>(null)
const eventListeners = new Set<(event: SessionEvent) => void>()

function emit(event: SessionEvent): void {
  for (const listener of eventListeners) listener(event)
}

/** Hears of sign-ins and sign-outs after the page's initial session is known. */
export function useSessionEvents(listener: (event: SessionEvent) => void): void {
  useEffect(() => {
    eventListeners.add(listener)
    return () => {
      eventListeners.delete(listener)
    }
  }, [listener])
}

export function useSession(): SessionValue {
  const value = use(SessionContext)
  if (value === null) throw new Error('useSession needs a SessionProvider above it')
  return value
}

export function SessionProvider({ children }: { children: ReactNode }) {
  // Undefined until the initial session is known.
  const [session, setSession] = useState<Session | null | undefined>(() =>
    hasSessionToRead(window.location) ? undefined : null,
  )
  const signingOut = useRef(false)
  // Asked before the client takes the link's marks out of the address.
  const [cameByLink] = useState(() => isAuthLink(window.location))
  const queries = useQueryClient()

  useEffect(() => {
    let stop = (): void => {}
    const unwait = whenClientLoaded((client) => {
      let known: string | null | undefined
      const { data } = client.auth.onAuthStateChange((event, next) => {
        const id = next?.user.id ?? null
        const announced = known === undefined ? null : eventFor(known, id, signingOut.current)
        if (event === 'INITIAL_SESSION' || known !== undefined) known = id
        setSession(next)
        if (event === 'INITIAL_SESSION' && id === null && cameByLink) leaveLink()
        if (announced !== null) emit(announced)
      })
      stop = () => data.subscription.unsubscribe()
    })
    if (hasSessionToRead(window.location)) import('./supabase').catch(() => setSession(null))
    return () => {
      unwait()
      stop()
    }
  }, [cameByLink])

  const userId = session?.user.id ?? null
  const previousUser = useRef<string | null>(null)
  useEffect(() => {
    // Rows that depend on who asks must not outlive that person's session.
    if (previousUser.current !== null && previousUser.current !== userId) queries.removeQueries({ queryKey: ['own'] })
    previousUser.current = userId
  }, [queries, userId])

  const profile = useQuery({
    queryKey: ['own', 'profile', userId],
    queryFn: () => loadProfile(userId ?? ''),
    enabled: userId !== null,
    staleTime: 5 * 60_000,
  })

  const signOut = useCallback(async () => {
    signingOut.current = true
    try {
      const { supabase } = await import('./supabase')
      const { error } = await supabase.auth.signOut({ scope: 'local' })
      if (error !== null) throw toApiError(error)
    } catch {
      emit('sign-out-failed')
    } finally {
      signingOut.current = false
    }
  }, [])

  const value = useMemo<SessionValue>(
    () => ({
      status: session === undefined ? 'loading' : session === null ? 'out' : 'in',
      user: session?.user ?? null,
      profile: profile.data ?? null,
      signOut,
    }),
    [session, profile.data, signOut],
  )
  return <SessionContext value={value}>{children}</SessionContext>
}

function eventFor(before: string | null, after: string | null, signingOut: boolean): SessionEvent | null {
  if (before === null && after !== null) return 'signed-in'
  if (before !== null && after === null) return signingOut ? 'signed-out' : 'session-ended'
  return null
}

/** A link that signed nobody in is told of once; its marks must not be read again. */
function leaveLink(): void {
  const { pathname, search } = window.location
  const rest = new URLSearchParams(search)
  for (const mark of ['code', 'error', 'error_code', 'error_description', 'sb']) rest.delete(mark)
  window.history.replaceState(window.history.state, '', pathname + (rest.size > 0 ? `?${rest}` : ''))
  emit('link-failed')
}

async function loadProfile(userId: string): Promise<Profile> {
  const { supabase } = await import('./supabase')
  return unwrap(await supabase.from('profiles').select('role, username').eq('id', userId).single())
}
