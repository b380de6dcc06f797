import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { purchaseKeys } from '@/lib/purchase-keys'
import { supabase } from '@/lib/supabase'

/** What so many days cost, in cents. */
export const totalQuery = (days: number) =>
  queryOptions({
    queryKey: purchaseKeys.prices.arcade(days),
    queryFn: async ({ signal }) =>
      unwrap<number>(await supabase.rpc('calculate_arcade_spot_price', { p_days: days }).abortSignal(signal)),
    staleTime: 60_000,
  })
