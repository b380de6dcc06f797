import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

const SHOWN = 100

async function fetchBans(signal: AbortSignal) {
  const [addresses, nicknames] = await Promise.all([
    supabase
      .from('ip_bans')
      .select('id,network,reason,expires_at,created_at')
      .order('created_at', { ascending: false })
      .limit(SHOWN)
      .abortSignal(signal),
    supabase
      .from('refused_nicknames')
      .select('id,pattern,reason,expires_at,created_at')
      .order('created_at', { ascending: false })
      .limit(SHOWN)
      .abortSignal(signal),
  ])
  return { addresses: unwrap(addresses), nicknames: unwrap(nicknames) }
}

/** Banned addresses, ranges and nicknames, the latest first. */
export const bansQuery = () =>
  queryOptions({ queryKey: moderationKeys.bans, queryFn: ({ signal }) => fetchBans(signal) })

export type BanKind = 'range' | 'nickname'

interface NewBan {
  kind: BanKind
  subject: string
  reason: string
  expiresAt: string | null
}

async function addBan({ kind, subject, reason, expiresAt }: NewBan): Promise<void> {
  const shared = { reason: reason === '' ? null : reason, expires_at: expiresAt }
  const { error, status } =
    kind === 'range'
      ? await supabase.from('ip_bans').insert({ network: subject, ...shared })
      : await supabase.from('refused_nicknames').insert({ pattern: subject, ...shared })
  if (error !== null) throw toApiError(error, status)
}

async function liftBan({ kind, id }: { kind: BanKind; id: string }): Promise<void> {
  const table = kind === 'range' ? 'ip_bans' : 'refused_nicknames'
  const { error, status } = await supabase.from(table).delete().eq('id', id)
  if (error !== null) throw toApiError(error, status)
}

const invalidates = [moderationKeys.bans]

export const addBanMutation = () =>
  mutationOptions({ mutationFn: addBan, meta: { invalidates, done: 'admin-users:done.added' } })
export const liftBanMutation = () =>
  mutationOptions({
    mutationFn: liftBan,
    meta: { invalidates, done: 'admin-users:done.lifted', failed: 'admin-users:notDone' },
  })
