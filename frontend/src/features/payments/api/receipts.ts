/** Receipts and credit notes of the person. */
import { queryOptions } from '@tanstack/react-query'
import { paymentKeys } from '@/entities/payment/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'
import { readSeller, readSubject } from '../model/document'

export const receiptsQuery = (userId: string) =>
  queryOptions({
    queryKey: paymentKeys.receipts(userId),
    queryFn: async ({ signal }) => {
      const rows = unwrap(
        await supabase
          .from('payment_receipts')
          .select('number, kind, issued_at, amount_cents, currency, days, subject')
          .eq('user_id', userId)
          .order('number', { ascending: false })
          .abortSignal(signal),
      )
      return rows.map((row) => ({ ...row, subject: readSubject(row.subject) }))
    },
    staleTime: STALE_TIME.recent,
  })

/** Row security lets payers read their own, and administrators all. */
async function fetchReceipt(number: string, signal: AbortSignal) {
  const answer = await supabase
    .from('payment_receipts')
    .select(
      'number, kind, payment_id, buyer_name, buyer_email, issued_at, subject, days, unit_price_cents, amount_cents, tax_basis_points, tax_cents, currency, seller',
    )
    .eq('number', Number(number))
    .abortSignal(signal)
    .single()
  const row = unwrap(answer)
  const others = unwrap(
    await supabase
      .from('payment_receipts')
      .select('number, kind, amount_cents, issued_at')
      .eq('payment_id', row.payment_id)
      .neq('number', row.number)
      .order('number')
      .abortSignal(signal),
  )
  return { ...row, subject: readSubject(row.subject), seller: readSeller(row.seller), others }
}

export type ReceiptDocument = Awaited<ReturnType<typeof fetchReceipt>>

/** One document, with the others for the same payment. */
export const receiptQuery = (userId: string, number: string) =>
  queryOptions({
    queryKey: paymentKeys.receipt(userId, number),
    queryFn: ({ signal }) => fetchReceipt(number, signal),
    staleTime: STALE_TIME.recent,
  })
