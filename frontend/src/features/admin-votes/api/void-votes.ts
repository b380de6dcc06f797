import { mutationOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Range, VoidReason } from '../model/votes'
import type { VoteRecord } from './votes'

/** Votes that were chosen, or all of the days looked at that came from the address or the network of one. */
export type VoidedVotes =
  { kind: 'chosen'; votes: readonly VoteRecord[] } | { kind: 'address' | 'network'; vote: VoteRecord; range: Range }

interface VoidRequest {
  votes: VoidedVotes
  reason: VoidReason
  note: string
  /** How many an earlier try took back before it failed. */
  already: number
  /** Told after each batch how many are taken back. */
  onProgress: (voided: number) => void
}

/** So many at once: each batch is taken back whole or not at all, well within the time a statement has. */
const BATCH = 500

const askedOf = (votes: VoidedVotes) => {
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

/** How many were taken back in all. Those somebody else was quicker with are not counted. */
async function voidVotes({ votes, reason, note, already, onProgress }: VoidRequest): Promise<number> {
  let voided = already
  for (;;) {
    const [told] = unwrap(
      await supabase.rpc('void_votes', {
        p_reason: reason,
        ...(note !== '' && { p_note: note }),
        ...askedOf(votes),
      }),
    )
    const batch = told?.voided ?? 0
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
