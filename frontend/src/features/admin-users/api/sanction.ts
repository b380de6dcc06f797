import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Refusals } from '@/lib/i18n/refusal'
import type { Role } from '../model/sanction'

interface Person {
  id: string
  username: string
}

interface Sanction {
  person: Person
  sanction: 'warning' | 'ban'
  reason: string
  statement: string
  days: number | null
}

/** Another administrator decided first. */
export const SANCTION_REFUSALS: Refusals = { already_banned: 'admin-users:refusal.banned' }

const invalidates = [moderationKeys.all]

async function sanctionAccount({ person, sanction, reason, statement, days }: Sanction): Promise<void> {
  const { error, status } = await supabase.rpc('sanction_account', {
    p_user_id: person.id,
    p_sanction: sanction,
    p_reason: reason,
    p_statement: statement,
    ...(days !== null && { p_days: days }),
  })
  if (error !== null) throw toApiError(error, status)
}

export const sanctionMutation = () =>
  mutationOptions({
    mutationFn: sanctionAccount,
    meta: {
      invalidates,
      refusals: SANCTION_REFUSALS,
      done: (_: void, { person, sanction }: Sanction) => ({
        title: { key: `admin-users:done.${sanction}` as const, values: { name: person.username } },
      }),
    },
  })

async function unban({ id }: Person): Promise<void> {
  const { error, status } = await supabase.rpc('unban_user', { p_user_id: id })
  if (error !== null) throw toApiError(error, status)
}

export const unbanMutation = () =>
  mutationOptions({
    mutationFn: unban,
    meta: {
      invalidates,
      failed: 'admin-users:notDone',
      done: (_: void, { username }: Person) => ({
        title: { key: 'admin-users:done.unban' as const, values: { name: username } },
      }),
    },
  })

async function changeRole({ person, role }: { person: Person; role: Role }): Promise<void> {
  const { error, status } = await supabase.rpc('set_user_role', { p_user_id: person.id, p_role: role })
  if (error !== null) throw toApiError(error, status)
}

export const changeRoleMutation = () =>
  mutationOptions({
    mutationFn: changeRole,
    meta: {
      invalidates,
      done: (_: void, { person }: { person: Person }) => ({
        title: { key: 'admin-users:done.role' as const, values: { name: person.username } },
      }),
    },
  })

interface AddressesBan {
  id: string
  reason: string
  expiresAt: string | null
}

/** The site deletes addresses after a while. */
export const ADDRESSES_REFUSALS: Refusals = { PT404: 'admin-users:refusal.noAddress' }

/**
 * Bans the addresses from which an account voted, as far as they are stored; nobody sees an
 * address.
 */
async function banAddresses({ id, reason, expiresAt }: AddressesBan): Promise<number> {
  return unwrap(
    await supabase.rpc('ban_addresses', {
      p_user_id: id,
      p_reason: reason,
      ...(expiresAt !== null && { p_expires_at: expiresAt }),
    }),
  )
}

export const banAddressesMutation = () =>
  mutationOptions({
    mutationFn: banAddresses,
    meta: { invalidates, done: 'admin-users:done.addresses' },
  })
