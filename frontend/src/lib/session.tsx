/**
 * Who is signed in, for the whole page. Follows the client's session events and adds the profile's
 * name and role. What to say about them (toasts) is the auth feature's, which listens to `SessionEvent`s.
 */
import type { Session, User } from '@supabase/supabase-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { toApiError, unwrap } from './errors'
import { hasSessionToRead, whenClientLoaded } from './session-store'

export type SessionEvent = 'signed-in' | 'signed-out' | 'session-ended' | 'sign-out-failed'

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
        if (announced !== null) emit(announced)
      })
      stop = () => data.subscription.unsubscribe()
    })
    if (hasSessionToRead(window.location)) import('./supabase').catch(() => setSession(null))
    return () => {
      unwait()
      stop()
    }
  }, [])

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

async function loadProfile(userId: string): Promise<Profile> {
  const { supabase } = await import('./supabase')
  return unwrap(await supabase.from('profiles').select('role, username').eq('id', userId).single())
}
