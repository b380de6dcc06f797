/**
 * What changed since the last visit to the favorites: stored in this browser, beside the list.
 * Mostly pure.
 */
import type { Store } from '@/lib/browser/store'
import { readJson, storedValue } from '@/lib/browser/stored'

/** A return within half an hour belongs to the same visit. */
const VISIT = 30 * 60_000

export interface Standing {
  /** The place in the ranking of its game. */
  place: number
  /** Votes this month. */
  votes: number
}

/** The places and votes at a moment (milliseconds). */
export interface VisitSnapshot {
  at: number
  standings: Readonly<Record<string, Standing>>
}

export interface Visits {
  /** The previous visit. */
  last: VisitSnapshot | null
  /** The current visit so far. */
  current: VisitSnapshot | null
}

const NEVER: Visits = { last: null, current: null }

/** The snapshot with which the current visit is compared: the same one throughout a visit. */
export function lastBefore({ last, current }: Visits, now: number): VisitSnapshot | null {
  return current !== null && now - current.at < VISIT ? last : current
}

export interface Change {
  /** Places gained; negative if lost. */
  places: number
  /** Votes gained; none where a new month began. */
  votes: number
}

/** Null for a server that is not in the snapshot. */
export function changeOf(last: VisitSnapshot | null, id: string, now: Standing): Change | null {
  const then = last?.standings[id]
  return then ? { places: then.place - now.place, votes: Math.max(0, now.votes - then.votes) } : null
}

/** Whether an event was announced after the last visit; false on the first visit. */
export function isNews(last: VisitSnapshot | null, createdAt: string): boolean {
  return last !== null && Date.parse(createdAt) > last.at
}

const stores = new Map<string, Store<Visits>>()

/** The visits of a person in this browser. */
export function visitsOf(userId: string): Store<Visits> {
  const known = stores.get(userId)
  if (known) return known
  const visits = storedValue<Visits>(`palmares.favorites-seen.${userId}`, (text) => {
    const value = readJson(text)
    if (!isRecord(value)) return NEVER
    return { last: seenIn(value.last), current: seenIn(value.current) }
  })
  stores.set(userId, visits)
  return visits
}

function seenIn(value: unknown): VisitSnapshot | null {
  if (!isRecord(value) || typeof value.at !== 'number' || !isRecord(value.standings)) return null
  const standings = Object.entries(value.standings).filter(
    (entry): entry is [string, Standing & Record<string, unknown>] =>
      isRecord(entry[1]) && typeof entry[1].place === 'number' && typeof entry[1].votes === 'number',
  )
  return { at: value.at, standings: Object.fromEntries(standings) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
