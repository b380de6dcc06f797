/** Votes one after the other: the dialog leads from each server to the next, until all were asked for. */
import { createStore, useStore } from '@/lib/browser/store'
import { openVoteDialog, type VoteTarget } from './dialog'
import { isVoteDue } from './state'

const round = createStore<readonly VoteTarget[]>([])

/** Opens the dialog on the first of these. */
export function startVoteRound(targets: readonly VoteTarget[]): void {
  const [first] = targets
  if (first === undefined) return
  round.set(targets)
  openVoteDialog(first)
}

export function endVoteRound(): void {
  if (round.get().length > 0) round.set([])
}

export interface Round {
  /** Which one this is, from 1. */
  place: number
  count: number
  /** The next one that can be voted for; null on the last. */
  next: VoteTarget | null
}

/** The round a server is asked for in; null outside of one. */
export function useVoteRound(serverId: string): Round | null {
  const targets = useStore(round)
  const at = targets.findIndex(({ id }) => id === serverId)
  if (at === -1 || targets.length < 2) return null
  return {
    place: at + 1,
    count: targets.length,
    next: targets.slice(at + 1).find(({ id }) => isVoteDue(id)) ?? null,
  }
}
