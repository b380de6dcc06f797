import { useEffect, useMemo } from 'react'
import { useNowPast } from '@/components/ui/use-now-past'
import { isVoteDue, keepNextVote, nextVotes } from '@/entities/vote/state'
import { useStore } from '@/lib/browser/store'
import type { VotedServer } from '../api/voted-servers'
import { byTurn, nextVoteOf } from '../model/due'

const NONE: readonly VotedServer[] = []

/** Which servers can be voted for now and which wait; renewed when one of them becomes ready. */
export function useQueue(servers: readonly VotedServer[] = NONE) {
  const kept = useStore(nextVotes)
  const moments = useMemo(() => servers.map((server) => nextVoteOf(server, kept)), [servers, kept])
  const now = useNowPast(moments)
  // Votes cast on another device count down on this one as well.
  useEffect(() => {
    for (const { id, next_vote_at } of servers) {
      const next = Date.parse(next_vote_at)
      if (next > Date.now() && isVoteDue(id)) keepNextVote(id, next)
    }
  }, [servers])
  return useMemo(() => byTurn(servers, kept, now), [servers, kept, now])
}
