import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'
import { FIELD_COLUMNS } from '../model/server-fields'

/** The columns that an owner may read and write. */
const COLUMNS = `
  ${FIELD_COLUMNS}, id, slug, owner_id, is_sponsored, sponsor_tier, prestige_expires_at, shows_prestige, is_approved, is_hidden, hidden_reason, moderation_reason, monthly_votes, is_online, online_players,
  max_players, status_checked_at, created_at, updated_at, games(id, name, slug, page_slug, logo_url)` as const

export async function fetchOwnServer(id: string, signal: AbortSignal) {
  const answer = await supabase.from('servers_managed').select(COLUMNS).eq('id', id).abortSignal(signal).maybeSingle()
  return unwrapOptional(answer)
}

/** A server as its owner edits it; its texts are stored escaped. */
export type OwnServer = NonNullable<Awaited<ReturnType<typeof fetchOwnServer>>>

/** Null if there is none that this person may see. */
export const ownServerQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: serverKeys.edited(userId, id),
    queryFn: ({ signal }) => fetchOwnServer(id, signal),
    staleTime: STALE_TIME.moving,
  })
