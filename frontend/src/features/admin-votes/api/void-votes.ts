import { mutationOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { laterKeys } from '@/lib/later-keys'
import { keys } from '@/lib/query-keys'
import { supabase } from '@/lib/supabase'
import type { Range, VoidReason } from '../model/votes'
import type { KeptVote } from './votes'

/** Votes that were chosen, or all of the days looked at that came from the address of one. */
export type VoidedVotes =
  { kind: 'chosen'; votes: readonly KeptVote[] } | { kind: 'address'; vote: KeptVote; range: Range }

interface Voiding {
  votes: VoidedVotes
  reason: VoidReason
  note: string
}

const askedOf = (votes: VoidedVotes) =>
  votes.kind === 'chosen'
    ? { p_ids: votes.votes.map(({ id }) => id) }
    : {
        p_server_id: votes.vote.server_id,
        p_from: votes.range.from,
        p_until: votes.range.until,
        p_address_of: votes.vote.id,
      }

/** How many were taken back: all of them or, when it fails, none. Those somebody else was quicker with are not counted. */
async function voidVotes({ votes, reason, note }: Voiding): Promise<number> {
  const [told] = unwrap(
    await supabase.rpc('void_votes', {
      p_reason: reason,
      ...(note !== '' && { p_note: note }),
      ...askedOf(votes),
    }),
  )
  return told?.voided ?? 0
}

export const voidVotesMutation = () =>
  mutationOptions({
    mutationFn: voidVotes,
    meta: {
      invalidates: [laterKeys.moderation.all, keys.servers.all],
      done: (voided: number) => ({ title: { key: 'admin-votes:done.voided' as const, values: { count: voided } } }),
    },
  })
