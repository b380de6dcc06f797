import { queryOptions } from '@tanstack/react-query'
import { voteKeys } from '@/entities/vote/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** The state of a vote's deliveries: no receiver, in progress, sent, confirmed, or delayed. */
export type Arrival = 'nobody' | 'underway' | 'sent' | 'arrived' | 'later'

/**
 * Delays between reads in milliseconds; a delivery that is not done after the last is shown as
 * delayed.
 */
const LOOKS = [500, 1000, 2000, 4000, 8000]

/** Polled a few times, with growing delays, until the state is final. */
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

/** With several receivers, the best state: any of them may give the reward. */
function arrivalOf(deliveries: readonly Delivery[]): Arrival {
  if (deliveries.length === 0) return 'nobody'
  const there = deliveries.filter(({ status }) => status === 'delivered')
  // The older Votifier protocol does not confirm a vote.
  if (there.length > 0) return there.some(({ is_confirmed }) => is_confirmed !== false) ? 'arrived' : 'sent'
  return deliveries.some(({ status }) => status === 'pending') ? 'underway' : 'later'
}
