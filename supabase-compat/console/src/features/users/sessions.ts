/**
 * The sessions of an account. auth/v1 lists only the caller's own, so they are read from the
 * database.
 */
import { queryOptions } from '@tanstack/react-query'
import { literal } from '@/postgres/quote'
import { runQuery } from '@/postgres/run-query'
import { usersKey } from './api'

/** How many sessions are shown. */
export const MAX_SESSIONS = 100

export interface UserSession {
  id: string
  began: string
  renewed: string | null
  agent: string | null
  address: string | null
  hasSecondFactor: boolean
}

/** A timestamp in a format that every browser parses. */
const timestampSql = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

const STATEMENT = `select
  s.id::text,
  ${timestampSql("s.created_at at time zone 'UTC'")},
  ${timestampSql('s.refreshed_at')},
  s.user_agent,
  host(s.ip),
  s.aal = 'aal2'
from auth.sessions as s
where s.user_id = $1::text::uuid
  and (s.not_after is null or s.not_after > now())
order by coalesce(s.refreshed_at, s.created_at at time zone 'UTC') desc, s.id
limit ${MAX_SESSIONS + 1}`

export const sessionsQuery = (user: string) =>
  queryOptions({
    queryKey: [...usersKey, 'sessions', user],
    queryFn: async ({ signal }): Promise<UserSession[]> => {
      const { rows } = await runQuery({ query: STATEMENT, parameters: [user], signal })
      return rows.map(([id, began, renewed, agent, address, hasSecondFactor]) => ({
        id: String(id),
        began: String(began),
        renewed: renewed as string | null,
        agent: agent as string | null,
        address: address as string | null,
        hasSecondFactor: hasSecondFactor === true,
      }))
    },
  })

/** Ends one session, or all; the ids are part of the statement, so that the audit log has them. */
export async function endSessions({ user, session }: { user: string; session?: string }): Promise<void> {
  const condition = session === undefined ? '' : ` and id = ${literal(session)}`
  await runQuery({ query: `delete from auth.sessions where user_id = ${literal(user)}${condition}`, isReadOnly: false })
}

/** A readable name of a session's browser. */
export function clientOf(agent: string | null): string | null {
  if (!agent) return null
  const browser = [
    ['Edge', /\bEdgA?\/(\d+)/],
    ['Opera', /\bOPR\/(\d+)/],
    ['Firefox', /\bFirefox\/(\d+)/],
    ['Chrome', /\bChrome\/(\d+)/],
    ['Safari', /\bVersion\/(\d+).*Safari/],
  ] as const
  const system = [
    ['Android', /Android/],
    ['iOS', /iPhone|iPad/],
    ['Windows', /Windows/],
    ['macOS', /Macintosh/],
    ['Linux', /Linux/],
  ] as const
  const [name, pattern] = browser.find(([, one]) => one.test(agent)) ?? []
  if (!name) return agent.slice(0, 80)
  const platform = system.find(([, one]) => one.test(agent))?.[0]
  return [name, pattern?.exec(agent)?.[1], ...(platform ? ['·', platform] : [])].join(' ')
}
