/** The person's own row: what others may see of them, and the language of their e-mails. */
import { queryOptions } from '@tanstack/react-query'
import type { Database } from '@/lib/database'
import { toApiError, unwrap } from '@/lib/errors'
import { isLanguage, type Language } from '@/lib/languages'
import { supabase } from '@/lib/supabase'
import { profileKeys } from './keys'

export interface Details {
  username: string
  role: string
  language: Language | null
  totalVotes: number
  createdAt: string
}

type Row = Pick<
  Database['public']['Tables']['profiles']['Row'],
  'username' | 'role' | 'language' | 'total_votes' | 'created_at'
>

async function fetchDetails(userId: string): Promise<Details> {
  const row = unwrap<Row>(
    await supabase
      .from('profiles')
      .select('username, role, language, total_votes, created_at')
      .eq('id', userId)
      .single(),
  )
  return {
    username: row.username,
    role: row.role,
    language: isLanguage(row.language) ? row.language : null,
    totalVotes: row.total_votes,
    createdAt: row.created_at,
  }
}

export const detailsQuery = (userId: string) =>
  queryOptions({ queryKey: profileKeys.details(userId), queryFn: () => fetchDetails(userId), staleTime: 30_000 })

export interface DetailsChange {
  userId: string
  username: string
  language: Language
}

/** The language is noted with the account as well: that is where the e-mails look. */
export async function saveDetails({ userId, username, language }: DetailsChange): Promise<void> {
  const { error, status } = await supabase
    .from('profiles')
    .update({ username, language })
    .eq('id', userId)
    .select('id')
    .single()
  if (error !== null) throw toApiError(error, status)
  const noted = await supabase.auth.updateUser({ data: { username, lang: language } })
  if (noted.error !== null) throw toApiError(noted.error)
}
