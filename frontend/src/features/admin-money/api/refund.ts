import { mutationOptions } from '@tanstack/react-query'
import { arcadeKeys } from '@/entities/arcade/keys'
import { moderationKeys } from '@/entities/moderation/keys'
import { paymentKeys } from '@/entities/payment/keys'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

interface Refund {
  id: string
  cents: number
  /** The reason, for the record. */
  note: string
}

async function refund({ id, cents, note }: Refund): Promise<void> {
  unwrap(await supabase.rpc('refund_payment', { p_payment_id: id, p_amount_cents: cents, p_note: note }))
}

/** Refunds the money, and removes the days that have not begun. */
export const refundMutation = () =>
  mutationOptions({
    mutationFn: refund,
    meta: {
      invalidates: [paymentKeys.all, serverKeys.all, arcadeKeys.all, moderationKeys.pending],
      done: { title: 'admin-money:refund.done', text: 'admin-money:refund.doneText' },
    },
  })

async function settle({ id, note }: Omit<Refund, 'cents'>): Promise<void> {
  unwrap(await supabase.rpc('settle_failed_refund', { p_payment_id: id, p_note: note }))
}

/** Records that a person refunded what the provider could not. */
export const settleMutation = () =>
  mutationOptions({
    mutationFn: settle,
    meta: { invalidates: [paymentKeys.all, moderationKeys.pending], done: { title: 'admin-money:settle.done' } },
  })
