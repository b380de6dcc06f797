/** The log of the deliveries of a server's votes. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { deliveryKeys } from '@/entities/delivery/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** The number of shown deliveries. */
const SHOWN = 50

async function fetchDeliveries(serverId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('deliveries')
      .select(
        `id, channel, event, payload, status, attempts, next_attempt_at, fault, request, answer_status, answer,
        is_confirmed, created_at, delivered_at`,
      )
      .eq('server_id', serverId)
      .order('created_at', { ascending: false })
      .limit(SHOWN)
      .abortSignal(signal),
  )
}

export type Delivery = Awaited<ReturnType<typeof fetchDeliveries>>[number]

/** The latest first. */
export const deliveriesQuery = (serverId: string) =>
  queryOptions({
    queryKey: deliveryKeys.log(serverId),
    queryFn: ({ signal }) => fetchDeliveries(serverId, signal),
  })

interface ReplayRequest {
  serverId: string
  /** Null for all that failed in the last week. */
  ids: string[] | null
}

async function replay({ serverId, ids }: ReplayRequest): Promise<number> {
  const { data, error, status } = await supabase.rpc('replay_deliveries', {
    p_server_id: serverId,
    ...(ids !== null && { p_ids: ids }),
  })
  if (error !== null) throw toApiError(error, status)
  return data
}

/** Sends these deliveries again, with the same ids. */
export const replayMutation = () =>
  mutationOptions({
    mutationFn: replay,
    meta: {
      invalidates: [deliveryKeys.logs],
      waits: true,
      done: (count: number) => ({
        title: count > 0 ? 'integrations:log.replayed' : 'integrations:log.nothingReplayed',
      }),
      failed: 'integrations:log.replayFailed',
    },
  })
