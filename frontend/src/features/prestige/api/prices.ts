/** What Prestige costs: its steps, and the sum as the procedure gives it. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapOptional } from '@/lib/errors'
import { purchaseKeys } from '@/lib/purchase-keys'
import { supabase } from '@/lib/supabase'

export const priceStepsQuery = () =>
  queryOptions({
    queryKey: purchaseKeys.prices.prestigeSteps,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('prestige_pricing')
          .select('min_days, unit_price_cents')
          .order('min_days')
          .abortSignal(signal),
      ),
    staleTime: 60_000,
  })

/** In cents; null where there is no price for so few days. */
export const totalQuery = (days: number) =>
  queryOptions({
    queryKey: purchaseKeys.prices.prestige(days),
    queryFn: async ({ signal }) =>
      unwrapOptional<number>(await supabase.rpc('calculate_prestige_price', { p_days: days }).abortSignal(signal)),
    staleTime: 60_000,
  })
