/** Changes the price tiers of a day of Prestige. */
import { mutationOptions } from '@tanstack/react-query'
import { priceKeys } from '@/entities/price/keys'
import { ApiError, toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

export interface Step {
  min_days: number
  unit_price_cents: number
}

interface Save {
  step: Step
  /** The tier as it was shown; null for a new one. */
  before: Step | null
}

/**
 * Changes the tier only if it is still as it was shown, so another administrator's change is not
 * overwritten.
 */
async function save({ step, before }: Save): Promise<void> {
  if (before === null) {
    const { error, status } = await supabase.from('prestige_pricing').insert(step)
    if (error !== null) throw toApiError(error, status)
    return
  }
  const rows = unwrap(
    await supabase
      .from('prestige_pricing')
      .update(step)
      .eq('min_days', before.min_days)
      .eq('unit_price_cents', before.unit_price_cents)
      .select('min_days'),
  )
  if (rows.length === 0) throw new ApiError('changed_meanwhile', 'Somebody else changed it', 409)
}

export const saveStepMutation = () =>
  mutationOptions({
    mutationFn: save,
    meta: { invalidates: [priceKeys.all], done: { title: 'admin-money:prices.saved' } },
  })

async function remove(step: Step): Promise<void> {
  const { error, status } = await supabase.from('prestige_pricing').delete().eq('min_days', step.min_days)
  if (error !== null) throw toApiError(error, status)
}

export const removeStepMutation = () =>
  mutationOptions({
    mutationFn: remove,
    meta: {
      invalidates: [priceKeys.all],
      waits: true,
      done: { title: 'admin-money:prices.removed' },
      failed: 'admin-money:prices.notRemoved',
    },
  })
