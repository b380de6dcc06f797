import { queryOptions } from '@tanstack/react-query'
import type { VoteTarget } from '@/entities/vote/dialog'
import { voteKeys } from '@/entities/vote/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

/** A listed server for which the person has voted; its name is stored text. */
export interface VotedServer {
  id: string
  slug: string
  name: string
  logo_image_url: string | null
  game: string
  nickname_pattern: string | null
  monthly_votes: number
  game_rank: number
  /** The nickname of the latest vote. */
  nickname: string
  voted_at: string
  next_vote_at: string
}

/** Servers that can be voted for again come first. */
export const votedServersQuery = (userId: string) =>
  queryOptions({
    queryKey: voteKeys.servers(userId),
    queryFn: async ({ signal }): Promise<VotedServer[]> =>
      unwrap(await supabase.rpc('get_my_voted_servers', undefined, { get: true }).abortSignal(signal)),
    staleTime: STALE_TIME.recent,
  })

export function voteTargetOf(server: VotedServer): VoteTarget {
  return {
    id: server.id,
    name: server.name,
    logoUrl: server.logo_image_url,
    monthlyVotes: server.monthly_votes,
    game: server.game,
    nicknamePattern: server.nickname_pattern,
  }
}
