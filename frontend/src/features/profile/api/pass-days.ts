/** Prestige days earned by voting. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { passKeys } from '@/entities/pass/keys'
import { serverKeys } from '@/entities/server/keys'
import { ApiError, toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { formatDate } from '@/lib/i18n/format'
import type { Language } from '@/lib/i18n/languages'
import { STALE_TIME } from '@/lib/query/stale-times'
import { spendingsOf, type Spending as Spent } from '../model/pass'

/** The default number of votes that earn a day. */
const USUAL_VOTES = 1000

export interface Pass {
  days: number
  votesPerDay: number
  /** The past uses of days, the last first. */
  spent: Spent[]
}

async function fetchPass(userId: string, signal: AbortSignal): Promise<Pass> {
  const [days, spent, setting] = await Promise.all([
    supabase
      .from('prestige_pass_days')
      .select('id', { count: 'exact', head: true })
      .eq('user_id', userId)
      .eq('is_used', false)
      .abortSignal(signal),
    supabase
      .from('prestige_pass_days')
      .select('used_at, servers(id, slug, name)')
      .eq('user_id', userId)
      .eq('is_used', true)
      .order('used_at', { ascending: false })
      .order('server_id')
      .abortSignal(signal),
    supabase
      .from('site_settings')
      .select('setting_value')
      .eq('setting_key', 'prestige_pass_votes_per_day')
      .abortSignal(signal)
      .maybeSingle(),
  ])
  if (days.error !== null) throw toApiError(days.error, days.status)
  return {
    days: days.count ?? 0,
    votesPerDay: Number(setting.data?.setting_value) || USUAL_VOTES,
    spent: spendingsOf(unwrap(spent)),
  }
}

export const passQuery = (userId: string) =>
  queryOptions({
    queryKey: passKeys.own(userId),
    queryFn: ({ signal }) => fetchPass(userId, signal),
    staleTime: STALE_TIME.recent,
  })

interface Spending {
  serverId: string
  days: number
  /** Whether the days extend running Prestige; for the toast. */
  extends: boolean
  language: Language
}

/** Gives days to one of one's servers; returns the new end of its Prestige. */
async function spendPassDays({ serverId, days }: Spending): Promise<string> {
  const end = unwrap(await supabase.rpc('use_prestige_pass_days', { p_server_id: serverId, p_days: days }))
  if (typeof end !== 'string') throw new ApiError('no_data', 'The answer is empty', 200)
  return end
}

export const spendPassDaysMutation = () =>
  mutationOptions({
    mutationFn: spendPassDays,
    meta: {
      invalidates: [passKeys.all, serverKeys.all],
      waits: true,
      done: (end: string, { language, extends: extended }: Spending) => ({
        title: extended ? 'profile:pass.applied' : 'profile:pass.activated',
        text: { key: 'profile:pass.appliedText', values: { date: formatDate(end, language) } },
      }),
      failed: 'profile:pass.failed',
    },
  })
