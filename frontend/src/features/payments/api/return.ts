import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { paymentStateOf } from '@/components/checkout/payment-state'
import { unwrapOptional } from '@/lib/errors'
import { ownFunctions } from '@/lib/functions'
import { purchaseKeys } from '@/lib/purchase-keys'
import { supabase } from '@/lib/supabase'

/** Every so many readings the provider is asked too: its word may be lost on the way. */
const ASK_EVERY = 4

async function fetchReturn(sessionId: string, readings: number, signal: AbortSignal) {
  // Whether the provider could be asked does not matter: it tells the site by itself as well.
  if (readings % ASK_EVERY === 0)
    await (await ownFunctions()).invoke('check-payment', { body: { sessionId }, signal }).catch(() => {})
  const answer = await supabase
    .rpc('get_payment_by_session', { p_session_id: sessionId })
    .abortSignal(signal)
    .maybeSingle()
  const row = unwrapOptional(answer)
  return row && { ...row, state: paymentStateOf(row.state) }
}

export type Returned = NonNullable<Awaited<ReturnType<typeof fetchReturn>>>

/** How the payment of a session stands, for whoever came back with it; null for a session nobody knows. */
export function returnQuery(sessionId: string, viewer: string | null) {
  const key: QueryKey = purchaseKeys.payments.ofSession(sessionId, viewer)
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal, client, queryKey }) =>
      fetchReturn(sessionId, client.getQueryState(queryKey)?.dataUpdateCount ?? 0, signal),
    staleTime: 0,
  })
}
