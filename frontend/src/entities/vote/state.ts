/**
 * When this browser may vote again, per server. A convenience for countdowns: the server decides,
 * and a browser that forgets is refused there.
 */
import { useSyncExternalStore } from 'react'
import { readJson, storedValue } from '@/lib/browser/stored'

/** Milliseconds by server id. */
type Times = Readonly<Record<string, number>>

export const nextVotes = storedValue<Times>('palmares.next-votes', (text) => {
  const value = readJson(text)
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
})

/** Keeps the moment (milliseconds) of the next possible vote and forgets those that have passed. */
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
