/** The person's payments of both kinds. */
import { queryOptions } from '@tanstack/react-query'
import { paymentKeys } from '@/entities/payment/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

async function fetchPayments(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('payments')
      .select(
        'id, kind, days, amount_cents, currency, state, created_at, expires_at, session_url, paid_at, covers_until, refund_cents, refund_reason, refunded_cents, refunded_at, disputed_at, servers!payments_server_id_fkey(id, slug, name), arcade_spots(position, start_date, end_date, status), payment_receipts(number, kind)',
      )
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .order('number', { referencedTable: 'payment_receipts' })
      .abortSignal(signal),
  )
}

export type Payment = Awaited<ReturnType<typeof fetchPayments>>[number]

/** Latest first. */
export const paymentsQuery = (userId: string) =>
  queryOptions({
    queryKey: paymentKeys.own(userId),
    queryFn: ({ signal }) => fetchPayments(userId, signal),
    staleTime: STALE_TIME.moving,
    // A payment completed in another tab appears when the reader returns to this one.
    refetchOnWindowFocus: true,
  })
