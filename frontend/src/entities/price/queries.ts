/**
 * The prices of Prestige and Arcade spots: the tiers, and the totals that the procedures compute,
 * in cents.
 */
import { queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapOptional } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'
import { priceKeys } from './keys'

export const prestigeStepsQuery = () =>
  queryOptions({
    queryKey: priceKeys.prestigeSteps,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('prestige_pricing')
          .select('min_days, unit_price_cents')
          .order('min_days')
          .abortSignal(signal),
      ),
    staleTime: STALE_TIME.steady,
  })

/** Null where no tier covers so few days. */
export const prestigeTotalQuery = (days: number) =>
  queryOptions({
    queryKey: priceKeys.prestige(days),
    queryFn: async ({ signal }) =>
      unwrapOptional<number>(await supabase.rpc('calculate_prestige_price', { p_days: days }).abortSignal(signal)),
    staleTime: STALE_TIME.steady,
  })

export const arcadeTotalQuery = (days: number) =>
  queryOptions({
    queryKey: priceKeys.arcade(days),
    queryFn: async ({ signal }) =>
      unwrap<number>(await supabase.rpc('calculate_arcade_spot_price', { p_days: days }).abortSignal(signal)),
    staleTime: STALE_TIME.steady,
  })
