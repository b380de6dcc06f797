import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { priceKeys } from '@/entities/price/keys'
import { settingKeys } from '@/entities/setting/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

const SETTING = 'arcade_spot_daily_price_cents'
/** The price of a day while the setting is missing, as in the database. */
const USUAL = 1000

export const dailyPriceQuery = () =>
  queryOptions({
    queryKey: priceKeys.arcadeSetting,
    queryFn: async ({ signal }) => {
      const [row] = unwrap(
        await supabase.from('site_settings').select('setting_value').eq('setting_key', SETTING).abortSignal(signal),
      )
      const cents = Number(row?.setting_value ?? USUAL)
      return Number.isInteger(cents) ? cents : USUAL
    },
  })

async function save(cents: number): Promise<void> {
  const { error, status } = await supabase
    .from('site_settings')
    .upsert({ setting_key: SETTING, setting_value: String(cents) }, { onConflict: 'setting_key' })
  if (error !== null) throw toApiError(error, status)
}

export const saveDailyPriceMutation = () =>
  mutationOptions({
    mutationFn: save,
    meta: {
      invalidates: [priceKeys.all, settingKeys.all],
      done: { title: 'admin-arcade:price.saved' },
    },
  })
