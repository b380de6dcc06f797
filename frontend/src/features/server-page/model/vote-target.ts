import type { VoteTarget } from '@/entities/vote/dialog'
import type { ServerDetail } from '../api/server'

/** The part of a server that the vote dialog needs. */
export function voteTargetOf(server: ServerDetail): VoteTarget {
  return {
    id: server.id,
    name: server.name,
    logoUrl: server.logo_image_url,
    monthlyVotes: server.monthly_votes,
    game: server.games.name,
    nicknamePattern: server.games.nickname_pattern,
  }
}
