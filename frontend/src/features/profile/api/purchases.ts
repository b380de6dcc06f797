/** What the person booked and paid. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { profileKeys } from './keys'

async function fetchSpots(userId: string) {
  return unwrap(
    await supabase
      .from('arcade_spots')
      .select('id, position, start_date, end_date, status, total_amount')
      .eq('booked_by', userId)
      .order('start_date', { ascending: false }),
  )
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
