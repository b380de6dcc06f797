import { mutationOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import { supabase } from '@/lib/api/supabase'

interface Refund {
  id: string
  cents: number
  /** Why, for the record. */
  note: string
}

async function refund({ id, cents, note }: Refund): Promise<void> {
  unwrap(await supabase.rpc('refund_payment', { p_payment_id: id, p_amount_cents: cents, p_note: note }))
}

/** Sends money back, and takes the days that have not begun. */
export const refundMutation = () =>
  mutationOptions({
    mutationFn: refund,
    meta: {
      invalidates: [keys.payments.all, keys.servers.all, keys.arcadeSpots.all, keys.waiting.own],
      done: { title: 'admin-money:refund.done', text: 'admin-money:refund.doneText' },
    },
  })

async function settle({ id, note }: Omit<Refund, 'cents'>): Promise<void> {
  unwrap(await supabase.rpc('settle_failed_refund', { p_payment_id: id, p_note: note }))
}

/** Notes that a person gave back what the provider could not. */
export const settleMutation = () =>
  mutationOptions({
    mutationFn: settle,
    meta: { invalidates: [keys.payments.all, keys.waiting.own], done: { title: 'admin-money:settle.done' } },
  })
