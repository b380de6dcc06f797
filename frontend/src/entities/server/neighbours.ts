/**
 * The neighbors of a server in the ranking of its game, for its page and for the dialog after a
 * vote.
 */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Database } from '@/lib/database'
import { STALE_TIME } from '@/lib/query/stale-times'
import { serverKeys } from './keys'

type Row = Database['public']['Functions']['get_server_neighbours']['Returns'][number]

/** Another server of the same game; its name is stored text. */
export type Neighbour = Pick<
  Row,
  'id' | 'slug' | 'name' | 'logo_image_url' | 'monthly_votes' | 'is_online' | 'online_players'
>

export interface Neighbours {
  /** The server itself: its place in its game, and its address as stored text. */
  self: Pick<Row, 'id' | 'slug' | 'ip_address' | 'monthly_votes' | 'game_rank'>
  /** The next server with more votes; null for the first. */
  ahead: Neighbour | null
  /** The next server with as many votes or fewer; null for the last. */
  behind: Neighbour | null
  /** Up to three similar servers. */
  similar: Neighbour[]
}

/** Null for a server that is not public. */
export const neighboursQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.neighbours(serverId),
    queryFn: async ({ signal }): Promise<Neighbours | null> =>
      neighboursOf(
        unwrap(await publicData.rpc('get_server_neighbours', { p_server_id: serverId }).abortSignal(signal)),
      ),
    staleTime: STALE_TIME.recent,
  })

function neighboursOf(rows: readonly Row[]): Neighbours | null {
  const find = (relation: string): Row | null => rows.find((row) => row.relation === relation) ?? null
  const self = find('self')
  if (self === null) return null
  return {
    self,
    ahead: find('ahead'),
    behind: find('behind'),
    similar: rows.filter((row) => row.relation === 'similar'),
  }
}
