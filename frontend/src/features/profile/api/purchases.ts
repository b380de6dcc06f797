/** What the person booked and paid. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { profileKeys } from './keys'

/** The payment knows whose the booking is and what it cost; the spot itself is everybody's to see. Latest first. */
async function fetchSpots(userId: string) {
  const payments = unwrap(
    await supabase
      .from('arcade_payments')
      .select('amount_cents, arcade_spots(id, position, start_date, end_date, status)')
      .eq('user_id', userId),
  )
  return payments
    .map(({ amount_cents, arcade_spots }) => ({ ...arcade_spots, amount_cents }))
    .toSorted((one, other) => other.start_date.localeCompare(one.start_date))
}

export const spotsQuery = (userId: string) =>
  queryOptions({ queryKey: profileKeys.spots(userId), queryFn: () => fetchSpots(userId), staleTime: 60_000 })

async function fetchPayments(userId: string) {
  return unwrap(
    await supabase
      .from('prestige_payments')
      .select('id, days, amount_cents, currency, status, created_at, servers!prestige_payments_server_id_fkey(name)')
      .eq('user_id', userId)
      .order('created_at', { ascending: false }),
  )
}

export const paymentsQuery = (userId: string) =>
  queryOptions({ queryKey: profileKeys.payments(userId), queryFn: () => fetchPayments(userId), staleTime: 60_000 })
