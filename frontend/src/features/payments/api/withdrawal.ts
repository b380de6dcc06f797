import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { arcadeKeys } from '@/entities/arcade/keys'
import { paymentKeys } from '@/entities/payment/keys'
import { serverKeys } from '@/entities/server/keys'
import { unwrap, unwrapOptional } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** The amount that a withdrawal now would refund; null if the payment does not exist any more. */
export const withdrawalQuery = (paymentId: string) =>
  queryOptions({
    queryKey: paymentKeys.withdrawal(paymentId),
    queryFn: async ({ signal }) =>
      unwrapOptional(
        await supabase.rpc('quote_withdrawal', { p_payment_id: paymentId }).abortSignal(signal).maybeSingle(),
      ),
    // The amount decreases with the days.
    staleTime: 0,
    gcTime: 0,
  })

interface Withdrawal {
  paymentId: string
  /** The amount that was shown; refused if it has changed meanwhile. */
  cents: number
}

async function withdraw({ paymentId, cents }: Withdrawal): Promise<void> {
  unwrap(await supabase.rpc('withdraw_from_payment', { p_payment_id: paymentId, p_refund_cents: cents }))
}

export const withdrawMutation = () =>
  mutationOptions({
    mutationFn: withdraw,
    meta: {
      invalidates: [paymentKeys.all, serverKeys.all, arcadeKeys.all],
      waits: true,
      done: { title: 'payments:withdrawal.done', text: 'payments:withdrawal.doneText' },
      failed: 'payments:withdrawal.failed',
      refusals: { amount_changed: 'payments:withdrawal.changed', too_late: 'payments:withdrawal.tooLate' },
    },
  })
