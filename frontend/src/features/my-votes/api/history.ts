/** The person's votes, the newest first, with keyset pagination. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { voteKeys } from '@/entities/vote/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

const PAGE_SIZE = 25

/** The vote after which a page begins. */
interface Cursor {
  id: string
  voted_at: string
}

type ServerName = Awaited<ReturnType<typeof fetchServers>>[number]

export interface OwnVote {
  id: string
  nickname: string
  voted_at: string
  /** Null for a server that is not listed any more. */
  server: ServerName | null
}

interface HistoryPage {
  votes: OwnVote[]
  next: Cursor | null
}

export const historyQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: voteKeys.history(userId),
    queryFn: ({ pageParam, signal }) => fetchPage(userId, pageParam, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: (page) => page.next,
    staleTime: STALE_TIME.recent,
  })

async function fetchPage(userId: string, after: Cursor | null, signal: AbortSignal): Promise<HistoryPage> {
  const rows = await fetchVotes(userId, after, signal)
  const visibleRows = rows.slice(0, PAGE_SIZE)
  const servers =
    visibleRows.length > 0 ? await fetchServers([...new Set(visibleRows.map((row) => row.server_id))], signal) : []
  return {
    votes: visibleRows.map(({ server_id, ...vote }) => ({
      ...vote,
      server: servers.find((server) => server.id === server_id) ?? null,
    })),
    next: rows.length > PAGE_SIZE ? (visibleRows.at(-1) ?? null) : null,
  }
}

/** Fetches one row more than a page, to know whether there is another page. */
async function fetchVotes(userId: string, after: Cursor | null, signal: AbortSignal) {
  let query = supabase.from('votes').select('id,server_id,nickname,voted_at').eq('user_id', userId)
  if (after !== null)
    query = query.lte('voted_at', after.voted_at).or(`voted_at.lt."${after.voted_at}",id.lt.${after.id}`)
  const sorted = query.order('voted_at', { ascending: false }).order('id', { ascending: false })
  return unwrap(await sorted.limit(PAGE_SIZE + 1).abortSignal(signal))
}

async function fetchServers(ids: readonly string[], signal: AbortSignal) {
  return unwrap(
    await publicData
      .from('servers_public')
      .select('id,slug,name,logo_image_url')
      .in('id', [...ids])
      .abortSignal(signal),
  )
}
