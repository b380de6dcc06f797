import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { paymentStateOf } from '@/components/checkout/payment-state'
import { paymentKeys } from '@/entities/payment/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { ownFunctions } from '@/lib/api/functions'
import { supabase } from '@/lib/api/supabase'

/** Every so many readings the provider is asked too: its word may be lost on the way. */
const ASK_EVERY = 4

async function fetchReturn(sessionId: string, readings: number, signal: AbortSignal) {
  const row = await readReturn(sessionId, signal)
  // Of a session nobody knows there is nothing to ask; the refusal would be one more line in the browser's log.
  if (row === null || readings % ASK_EVERY !== 0) return row
  // Whether the provider could be asked does not matter: it tells the site by itself as well.
  await (await ownFunctions()).invoke('check-payment', { body: { sessionId }, signal }).catch(() => {})
  return readReturn(sessionId, signal)
}

async function readReturn(sessionId: string, signal: AbortSignal) {
  const answer = await supabase
    .rpc('get_payment_by_session', { p_session_id: sessionId })
    .abortSignal(signal)
    .maybeSingle()
  const row = unwrapOptional(answer)
  return row && { ...row, state: paymentStateOf(row.state) }
}

export type PaymentReturn = NonNullable<Awaited<ReturnType<typeof fetchReturn>>>

/** How the payment of a session stands, for whoever came back with it; null for a session nobody knows. */
export function returnQuery(sessionId: string, viewer: string | null) {
  const key: QueryKey = paymentKeys.ofSession(sessionId, viewer)
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal, client, queryKey }) =>
      fetchReturn(sessionId, client.getQueryState(queryKey)?.dataUpdateCount ?? 0, signal),
    staleTime: 0,
  })
}
