/** Where a server stands in its game, asked by its page and by the dialog that has just moved it. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Database } from '@/lib/database'
import { STALE_TIME } from '@/lib/query/stale-times'
import { serverKeys } from './keys'

type Row = Database['public']['Functions']['get_server_neighbours']['Returns'][number]

/** Another server of the same game; its name as stored. */
export type Neighbour = Pick<
  Row,
  'id' | 'slug' | 'name' | 'logo_image_url' | 'monthly_votes' | 'is_online' | 'online_players'
>

export interface Neighbours {
  /** The server itself: its place among those of its game, and its address as stored. */
  self: Pick<Row, 'id' | 'slug' | 'ip_address' | 'monthly_votes' | 'game_rank'>
  /** The next one with more votes; none before the first. */
  ahead: Neighbour | null
  /** The next one with as many votes or fewer; none behind the last. */
  behind: Neighbour | null
  /** Up to three to look at besides. */
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
