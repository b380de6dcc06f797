/**
 * When this browser may vote again, per server. A convenience for countdowns: the server decides,
 * and a browser that forgets is refused there.
 */
import { useSyncExternalStore } from 'react'

const KEY = 'palmares.next-votes'
const listeners = new Set<() => void>()
let parsed: { text: string; times: Readonly<Record<string, number>> } = { text: '', times: {} }

function read(): Readonly<Record<string, number>> {
  const text = stored()
  if (parsed.text !== text) parsed = { text, times: parse(text) }
  return parsed.times
}

function stored(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function parse(text: string): Record<string, number> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )
  } catch {
    return {}
  }
}

/** Keeps the moment (milliseconds) of the next possible vote and forgets those that have passed. */
export function keepNextVote(serverId: string, at: number, now: number = Date.now()): void {
  const times = { ...read(), [serverId]: at }
  const ahead = Object.fromEntries(Object.entries(times).filter(([, time]) => time > now))
  try {
    localStorage.setItem(KEY, JSON.stringify(ahead))
  } catch {
    // Without storage the countdown lasts as long as the dialog.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Whether this browser may vote now, as far as it remembers. */
export function isVoteDue(serverId: string, now: number = Date.now()): boolean {
  return (read()[serverId] ?? 0) <= now
}

/** The moment (milliseconds) of the next possible vote, if this browser remembers one; it may have passed. */
export function useNextVote(serverId: string): number | null {
  return useSyncExternalStore(subscribe, () => read()[serverId] ?? null)
}
