/** What the person booked and paid. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { keys } from '@/lib/query-keys'
import { supabase } from '@/lib/supabase'

/** The payment knows whose the booking is and what it cost; the spot itself is everybody's to see. Latest first. */
async function fetchSpots(userId: string, signal: AbortSignal) {
  const payments = unwrap(
    await supabase
      .from('arcade_payments')
      .select('amount_cents, status, arcade_spots(id, position, start_date, end_date, status)')
      .eq('user_id', userId)
      .abortSignal(signal),
  )
  return payments
    .map(({ amount_cents, status: payment, arcade_spots }) => ({ ...arcade_spots, amount_cents, payment }))
    .toSorted((one, other) => other.start_date.localeCompare(one.start_date))
}

export const spotsQuery = (userId: string) =>
  queryOptions({
    queryKey: keys.arcadeSpots.own(userId),
    queryFn: ({ signal }) => fetchSpots(userId, signal),
    staleTime: 60_000,
  })

async function fetchPayments(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('prestige_payments')
      .select('id, days, amount_cents, currency, status, created_at, servers!prestige_payments_server_id_fkey(name)')
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .abortSignal(signal),
  )
}

export const paymentsQuery = (userId: string) =>
  queryOptions({
    queryKey: keys.payments.own(userId),
    queryFn: ({ signal }) => fetchPayments(userId, signal),
    staleTime: 60_000,
  })
