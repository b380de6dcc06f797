import { queryOptions } from '@tanstack/react-query'
import { voteKeys } from '@/entities/vote/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** What became of telling the server of a vote: nobody is to be told, it is under way, it is there, or it has to wait. */
export type Arrival = 'nobody' | 'underway' | 'sent' | 'arrived' | 'later'

/** Looked at again after so many milliseconds each time; what is under way behind the last comes later. */
const LOOKS = [500, 1000, 2000, 4000, 8000]

/** Asked a few times, ever more seldom, until it is known. */
export const arrivalQuery = (voteId: string) =>
  queryOptions({
    queryKey: voteKeys.arrival(voteId),
    queryFn: async ({ signal, client, queryKey }): Promise<Arrival> => {
      const rows = unwrap(await publicData.rpc('get_vote_arrival', { p_vote_id: voteId }).abortSignal(signal))
      const looks = client.getQueryState(queryKey)?.dataUpdateCount ?? 0
      const arrival = arrivalOf(rows)
      return arrival === 'underway' && looks >= LOOKS.length ? 'later' : arrival
    },
    refetchInterval: ({ state }) => (state.data === 'underway' && LOOKS[state.dataUpdateCount - 1]) || false,
    staleTime: STALE_TIME.never,
    retry: false,
  })

interface Delivery {
  status: string
  is_confirmed: boolean | null
}

/** Of several receivers the one that matters to the voter: a reward comes from whichever heard of it. */
function arrivalOf(deliveries: readonly Delivery[]): Arrival {
  if (deliveries.length === 0) return 'nobody'
  const there = deliveries.filter(({ status }) => status === 'delivered')
  // The older protocol of vote listeners has no word for "taken".
  if (there.length > 0) return there.some(({ is_confirmed }) => is_confirmed !== false) ? 'arrived' : 'sent'
  return deliveries.some(({ status }) => status === 'pending') ? 'underway' : 'later'
}
