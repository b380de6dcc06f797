import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Range, VoidReason } from '../model/votes'
import type { VoteRecord } from './votes'

/** The selected votes, or all votes of the shown days from the address or network of one. */
export type VoidedVotes =
  { kind: 'chosen'; votes: readonly VoteRecord[] } | { kind: 'address' | 'network'; vote: VoteRecord; range: Range }

interface VoidRequest {
  votes: VoidedVotes
  reason: VoidReason
  note: string
  /** How many votes an earlier try voided before it failed. */
  already: number
  /** Called after each batch with the number of voided votes. */
  onProgress: (voided: number) => void
}

/** The batch size: each batch is one transaction, well within the statement timeout. */
const BATCH = 500

const requestsOf = (votes: VoidedVotes) => {
  if (votes.kind === 'chosen') return { p_ids: votes.votes.map(({ id }) => id) }
  const { kind, vote, range } = votes
  return {
    p_server_id: vote.server_id,
    p_from: range.from,
    p_until: range.until,
    ...(kind === 'address' ? { p_address_of: vote.id } : { p_network_of: vote.id }),
    p_rows: BATCH,
  }
}

/** The number of voided votes, without those that somebody else voided first. */
async function voidVotes({ votes, reason, note, already, onProgress }: VoidRequest): Promise<number> {
  let voided = already
  for (;;) {
    const [result] = unwrap(
      await supabase.rpc('void_votes', {
        p_reason: reason,
        ...(note !== '' && { p_note: note }),
        ...requestsOf(votes),
      }),
    )
    const batch = result?.voided ?? 0
    voided += batch
    if (votes.kind === 'chosen' || batch < BATCH) return voided
    onProgress(voided)
  }
}

export const voidVotesMutation = () =>
  mutationOptions({
    mutationFn: voidVotes,
    meta: {
      invalidates: [moderationKeys.all, serverKeys.all],
      done: (voided: number) => ({ title: { key: 'admin-votes:done.voided' as const, values: { count: voided } } }),
    },
  })
