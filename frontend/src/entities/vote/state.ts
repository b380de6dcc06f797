/**
 * When this browser may vote again, per server. It only serves countdowns: the server decides, and
 * refuses a vote that comes too early.
 */
import { useSyncExternalStore } from 'react'
import { readJson, storedValue } from '@/lib/browser/stored'

/** Timestamps in milliseconds by server id. */
type Times = Readonly<Record<string, number>>

export const nextVotes = storedValue<Times>('palmares.next-votes', (text) => {
  const value = readJson(text)
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
})

/**
 * Stores the moment (milliseconds) of the next possible vote and removes those that have passed.
 */
export function keepNextVote(serverId: string, at: number, now: number = Date.now()): void {
  const times = { ...nextVotes.get(), [serverId]: at }
  nextVotes.set(Object.fromEntries(Object.entries(times).filter(([, time]) => time > now)))
}

/** Whether this browser may vote now, as far as it remembers. */
export function isVoteDue(serverId: string, now: number = Date.now()): boolean {
  return (nextVotes.get()[serverId] ?? 0) <= now
}

/** The moment (milliseconds) of the next possible vote, if this browser remembers one; it may have passed. */
export function useNextVote(serverId: string): number | null {
  return useSyncExternalStore(nextVotes.subscribe, () => nextVotes.get()[serverId] ?? null)
}
