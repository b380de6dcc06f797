/** What changed since the last visit to the favourites: kept in this browser, beside the list itself. Mostly pure. */
import type { Store } from '@/lib/browser/store'
import { readJson, storedValue } from '@/lib/browser/stored'

/** Who comes back within half an hour is still here. */
const VISIT = 30 * 60_000

export interface Standing {
  /** The place in its game. */
  place: number
  /** Votes this month. */
  votes: number
}

/** What stood where at a moment (milliseconds). */
export interface VisitSnapshot {
  at: number
  standings: Readonly<Record<string, Standing>>
}

export interface Visits {
  /** The visit before this one. */
  last: VisitSnapshot | null
  /** As far as this one has come. */
  current: VisitSnapshot | null
}

const NEVER: Visits = { last: null, current: null }

/** With what a visit that begins now is compared: the same as before while it is still the same one. */
export function lastBefore({ last, current }: Visits, now: number): VisitSnapshot | null {
  return current !== null && now - current.at < VISIT ? last : current
}

export interface Change {
  /** Places gained; lost where negative. */
  places: number
  /** Votes more than then; none where a new month began. */
  votes: number
}

/** Null for what was not there then. */
export function changeOf(last: VisitSnapshot | null, id: string, now: Standing): Change | null {
  const then = last?.standings[id]
  return then ? { places: then.place - now.place, votes: Math.max(0, now.votes - then.votes) } : null
}

/** Whether something was announced after the last visit; on the first one nothing is news. */
export function isNews(last: VisitSnapshot | null, createdAt: string): boolean {
  return last !== null && Date.parse(createdAt) > last.at
}

const kept = new Map<string, Store<Visits>>()

/** The visits of a person in this browser. */
export function visitsOf(userId: string): Store<Visits> {
  const known = kept.get(userId)
  if (known) return known
  const visits = storedValue<Visits>(`palmares.favorites-seen.${userId}`, (text) => {
    const value = readJson(text)
    if (!isRecord(value)) return NEVER
    return { last: seenIn(value.last), current: seenIn(value.current) }
  })
  kept.set(userId, visits)
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
