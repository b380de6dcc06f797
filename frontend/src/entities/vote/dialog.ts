/**
 * The server of the vote dialog: set by cards and server pages, read by the vote feature that draws
 * the dialog.
 */
import { createDialog } from '@/lib/browser/create-dialog'

/** The part of a server that the dialog shows; texts as stored. */
export interface VoteTarget {
  id: string
  name: string
  logoUrl?: string | null
  monthlyVotes: number
  /** The game's name; null if the game is not shown any more. */
  game?: string | null
  /**
   * The game's stricter rule for nicknames, a regular expression that must match the whole name.
   */
  nicknamePattern?: string | null
  /** The ticket with which the server's own site sent the voter. */
  ticket?: string | null
  /** The voter's nickname on that site. */
  nickname?: string | null
}

export const { open: openVoteDialog, close: closeVoteDialog, useSubject: useVoteDialog } = createDialog<VoteTarget>()
