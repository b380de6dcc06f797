import { useEffect, useMemo } from 'react'
import { useNowPast } from '@/components/ui/use-now-past'
import { isVoteDue, keepNextVote, nextVotes } from '@/entities/vote/state'
import { useStore } from '@/lib/browser/store'
import type { VotedServer } from '../api/voted-servers'
import { byTurn, nextVoteOf } from '../model/due'

const NONE: readonly VotedServer[] = []

/**
 * Splits servers into those that can be voted for now and those that cannot yet; updated when one
 * becomes ready.
 */
export function useQueue(servers: readonly VotedServer[] = NONE) {
  const dueTimes = useStore(nextVotes)
  const moments = useMemo(() => servers.map((server) => nextVoteOf(server, dueTimes)), [servers, dueTimes])
  const now = useNowPast(moments)
  // Stores the cooldown of votes that were cast on another device.
  useEffect(() => {
    for (const { id, next_vote_at } of servers) {
      const next = Date.parse(next_vote_at)
      if (next > Date.now() && isVoteDue(id)) keepNextVote(id, next)
    }
  }, [servers])
  return useMemo(() => byTurn(servers, dueTimes, now), [servers, dueTimes, now])
}
