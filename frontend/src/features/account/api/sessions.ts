/** Where the person is signed in. The auth service has no list of it; the site's database gives people their own. */
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { accountKeys } from '@/entities/account/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

export interface OpenSession {
  id: string
  createdAt: string
  lastSeenAt: string
  userAgent: string | null
  ip: string | null
  isCurrent: boolean
}

async function fetchSessions({ signal }: { signal: AbortSignal }): Promise<OpenSession[]> {
  const rows = unwrap(await supabase.rpc('get_my_sessions').abortSignal(signal))
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    userAgent: row.user_agent,
    ip: row.ip,
    isCurrent: row.is_current,
  }))
}

export const sessionsQuery = () =>
  queryOptions({ queryKey: accountKeys.sessions, queryFn: fetchSessions, staleTime: STALE_TIME.moving })

interface SessionRemoval {
  id: string
  /** What the person calls the device, for the word about it. */
  device: string
}

async function endSession({ id }: SessionRemoval): Promise<void> {
  const { error, status } = await supabase.rpc('end_my_session', { p_session_id: id })
  // Whatever ended by itself meanwhile is as it should be.
  if (error !== null && error.code !== 'PT404') throw toApiError(error, status)
}

const NOT_ENDED = 'account:sessions.notEnded' as const

export const endSessionMutation = () =>
  mutationOptions({
    mutationFn: endSession,
    meta: {
      invalidates: [accountKeys.sessions],
      waits: true,
      done: (_: void, { device }: SessionRemoval) => ({ title: 'account:sessions.ended', text: { plain: device } }),
      failed: NOT_ENDED,
      refusals: ACCOUNT_REFUSALS,
    },
  })

/** Everywhere but here. */
async function endOtherSessions(): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'others' })
  if (error !== null) throw toApiError(error)
}

export const endOtherSessionsMutation = () =>
  mutationOptions({
    mutationFn: endOtherSessions,
    meta: {
      invalidates: [accountKeys.sessions],
      waits: true,
      done: 'account:sessions.othersEnded',
      failed: NOT_ENDED,
      refusals: ACCOUNT_REFUSALS,
    },
  })

/** Here as well. The session provider leaves, and says so itself where it cannot. */
export const leaveEverywhereMutation = (signOut: (scope: 'global') => Promise<void>) =>
  mutationOptions({ mutationFn: () => signOut('global') })
