/** Which server is being voted for: asked for by cards and server pages, drawn by the vote feature. */
import { createDialog } from '@/lib/browser/create-dialog'

/** What the dialog shows of the server; texts as stored. */
export interface VoteTarget {
  id: string
  name: string
  logoUrl?: string | null
  monthlyVotes: number
  /** What the game is called; null where it is not shown any more. */
  game?: string | null
  /** The game's stricter rule for names, a regular expression that must match whole. */
  nicknamePattern?: string | null
  /** What the server's own site sent the voter with. */
  ticket?: string | null
  /** The name that site knows the voter by. */
  nickname?: string | null
}

export const { open: openVoteDialog, close: closeVoteDialog, useSubject: useVoteDialog } = createDialog<VoteTarget>()
