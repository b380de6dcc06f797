/**
 * The sessions of the account. The auth service does not list them; a view of the site's database
 * does.
 */
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
  /** The name of the device, for the toast. */
  device: string
}

async function endSession({ id }: SessionRemoval): Promise<void> {
  const { error, status } = await supabase.rpc('end_my_session', { p_session_id: id })
  // A session that has ended meanwhile is no failure.
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

/** Ends all sessions but this one. */
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

/**
 * Ends all sessions including this one. The session provider signs out, and reports a failure
 * itself.
 */
export const leaveEverywhereMutation = (signOut: (scope: 'global') => Promise<void>) =>
  mutationOptions({ mutationFn: () => signOut('global') })
