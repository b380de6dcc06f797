/** A round of votes: the dialog leads from each server to the next until the last one. */
import { createStore, useStore } from '@/lib/browser/store'
import { openVoteDialog, type VoteTarget } from './dialog'
import { isVoteDue } from './state'

const round = createStore<readonly VoteTarget[]>([])

/** Opens the dialog for the first of these servers. */
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
  /** The position of this server in the round, from 1. */
  place: number
  count: number
  /** The next server that can be voted for; null for the last. */
  next: VoteTarget | null
}

/** The round to which the server of the dialog belongs; null outside of a round. */
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
