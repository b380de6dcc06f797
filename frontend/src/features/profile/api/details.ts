/** The person's own row: their public profile, and the language of their emails. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { accountKeys } from '@/entities/account/keys'
import { profileKeys } from '@/entities/profile/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { isLanguage, type Language } from '@/lib/i18n/languages'
import type { Refusals } from '@/lib/i18n/refusal'
import { STALE_TIME } from '@/lib/query/stale-times'

export interface Details {
  username: string
  role: string
  language: Language | null
  weeklyMail: boolean
  totalVotes: number
  createdAt: string
}

async function fetchDetails(userId: string, signal: AbortSignal): Promise<Details> {
  const answer = await supabase
    .from('profiles')
    .select('username, role, language, weekly_mail, total_votes, created_at')
    .eq('id', userId)
    .abortSignal(signal)
    .single()
  const row = unwrap(answer)
  return {
    username: row.username,
    role: row.role,
    language: isLanguage(row.language) ? row.language : null,
    weeklyMail: row.weekly_mail,
    totalVotes: row.total_votes,
    createdAt: row.created_at,
  }
}

export const detailsQuery = (userId: string) =>
  queryOptions({
    queryKey: profileKeys.details(userId),
    queryFn: ({ signal }) => fetchDetails(userId, signal),
    staleTime: STALE_TIME.recent,
  })

interface DetailsChange {
  userId: string
  username: string
  language: Language
  weeklyMail: boolean
}

/** The language is also stored with the account, from which the emails take it. */
async function saveDetails({ userId, username, language, weeklyMail }: DetailsChange): Promise<void> {
  const { error, status } = await supabase
    .from('profiles')
    .update({ username, language, weekly_mail: weeklyMail })
    .eq('id', userId)
    .select('id')
    .single()
  if (error !== null) throw toApiError(error, status)
  const noted = await supabase.auth.updateUser({ data: { username, lang: language } })
  if (noted.error !== null) throw toApiError(noted.error)
}

/** The texts for refused usernames. */
export const NAME_REFUSALS: Refusals = {
  '23505': 'errors:usernameTaken',
  '23514': 'profile:refusal.nameInvalid',
}

export const saveDetailsMutation = () =>
  mutationOptions({
    mutationFn: saveDetails,
    meta: {
      invalidates: [profileKeys.all, accountKeys.user],
      waits: true,
      done: 'profile:details.saved',
      failed: 'profile:details.failed',
      refusals: NAME_REFUSALS,
    },
  })
