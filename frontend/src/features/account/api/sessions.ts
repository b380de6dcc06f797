/** Where the person is signed in. The auth service has no list of it; the site's database gives people their own. */
import { queryOptions } from '@tanstack/react-query'
import { toApiError, unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { accountKeys } from './keys'

export interface OpenSession {
  id: string
  createdAt: string
  lastSeenAt: string
  userAgent: string | null
  ip: string | null
  isCurrent: boolean
}

async function fetchSessions(): Promise<OpenSession[]> {
  const rows = unwrap(await supabase.rpc('get_my_sessions'))
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
  queryOptions({ queryKey: accountKeys.sessions, queryFn: fetchSessions, staleTime: 10_000 })

export async function endSession(id: string): Promise<void> {
  const { error, status } = await supabase.rpc('end_my_session', { p_session_id: id })
  // Whatever ended by itself meanwhile is as it should be.
  if (error !== null && error.code !== 'P0002') throw toApiError(error, status)
}

/** Everywhere but here. */
export async function endOtherSessions(): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'others' })
  if (error !== null) throw toApiError(error)
}
