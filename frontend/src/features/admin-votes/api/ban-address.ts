import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Refusals } from '@/lib/i18n/refusal'

/** The site deletes addresses after a while. */
export const ADDRESS_REFUSALS: Refusals = { PT404: 'admin-votes:noAddress' }

interface AddressBan {
  voteId: string
  reason: string
  expiresAt: string | null
}

async function banAddress({ voteId, reason, expiresAt }: AddressBan): Promise<void> {
  unwrap(
    await supabase.rpc('ban_addresses', {
      p_vote_id: voteId,
      ...(reason !== '' && { p_reason: reason }),
      ...(expiresAt !== null && { p_expires_at: expiresAt }),
    }),
  )
}

export const banAddressMutation = () =>
  mutationOptions({
    mutationFn: banAddress,
    meta: { invalidates: [moderationKeys.bans], done: 'admin-votes:done.banned' },
  })
