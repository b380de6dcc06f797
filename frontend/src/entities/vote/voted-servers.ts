/**
 * The servers that were voted for from this browser, by any person: stored in the browser only, the
 * last one first.
 */
import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Store } from '@/lib/browser/store'
import { readJson, storedValue } from '@/lib/browser/stored'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { VoteTarget } from './dialog'

/** The home page repeats this key, because it loads the shelf only where something is stored. */
const KEY = 'palmares.voted'
const MOST = 12

export const votedServers: Store<readonly string[]> = storedValue<readonly string[]>(KEY, (text) => {
  const value = readJson(text)
  return Array.isArray(value) ? value.filter(isId).slice(0, MOST) : []
})

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)

export function rememberVoted(serverId: string): void {
  votedServers.set([serverId, ...votedServers.get().filter((id) => id !== serverId)].slice(0, MOST))
}

/** Those of them that are listed, in no particular order. */
export const votedServersQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: serverKeys.voted(ids),
    queryFn: ({ signal }) => fetchTargets(ids, signal),
    enabled: ids.length > 0,
    staleTime: STALE_TIME.steady,
  })

async function fetchTargets(ids: readonly string[], signal: AbortSignal): Promise<VoteTarget[]> {
  const rows = unwrap(
    await publicData
      .from('servers_public')
      .select('id,name,logo_image_url,monthly_votes,games(name,nickname_pattern)')
      .in('id', [...ids])
      .abortSignal(signal),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    logoUrl: row.logo_image_url,
    monthlyVotes: row.monthly_votes,
    game: row.games?.name ?? null,
    nicknamePattern: row.games?.nickname_pattern ?? null,
  }))
}
