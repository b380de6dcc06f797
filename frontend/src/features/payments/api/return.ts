import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { paymentStateOf } from '@/components/checkout/payment-state'
import { paymentKeys } from '@/entities/payment/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { ownFunctions } from '@/lib/api/functions'
import { supabase } from '@/lib/api/supabase'

/** At every so many reads the provider is queried, too: its notification may be lost. */
const ASK_EVERY = 4

async function fetchReturn(sessionId: string, readings: number, signal: AbortSignal) {
  const row = await readReturn(sessionId, signal)
  // For an unknown session there is nothing to query; the refusal would only add a line to the
  // browser's log.
  if (row === null || readings % ASK_EVERY !== 0) return row
  // A failure of this query does not matter, because the provider also notifies the site.
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

/** The payment of a session, for the person who returned with it; null for an unknown session. */
export function returnQuery(sessionId: string, viewer: string | null) {
  const key: QueryKey = paymentKeys.ofSession(sessionId, viewer)
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal, client, queryKey }) =>
      fetchReturn(sessionId, client.getQueryState(queryKey)?.dataUpdateCount ?? 0, signal),
    staleTime: 0,
  })
}
