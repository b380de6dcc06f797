/** Prestige days earned by voting. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, toApiError, unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { profileKeys } from './keys'

/** Where the site does not say how many votes earn a day. */
const USUAL_VOTES = 1000

export interface Pass {
  days: number
  votesPerDay: number
}

async function fetchPass(userId: string): Promise<Pass> {
  const [days, setting] = await Promise.all([
    supabase
      .from('prestige_pass_days')
      .select('id', { count: 'exact', head: true })
      .eq('user_id', userId)
      .eq('is_used', false),
    supabase
      .from('site_settings')
      .select('setting_value')
      .eq('setting_key', 'prestige_pass_votes_per_day')
      .maybeSingle(),
  ])
  if (days.error !== null) throw toApiError(days.error, days.status)
  return { days: days.count ?? 0, votesPerDay: Number(setting.data?.setting_value) || USUAL_VOTES }
}

export const passQuery = (userId: string) =>
  queryOptions({ queryKey: profileKeys.passDays(userId), queryFn: () => fetchPass(userId), staleTime: 30_000 })

/** Gives days to one of one's servers; answers when its Prestige ends now. */
export async function spendPassDays({ serverId, days }: { serverId: string; days: number }): Promise<string> {
  const end = unwrap(await supabase.rpc('use_prestige_pass_days', { p_server_id: serverId, p_days: days }))
  if (typeof end !== 'string') throw new ApiError('no_data', 'The answer is empty', 200)
  return end
}
