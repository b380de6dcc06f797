/**
 * The addresses in this tab's history, by their index, and the scroll position of each. Survives a
 * reload. The router numbers the entries (`history.state.idx`).
 */
import { readJson, readStored, writeStored } from '@/lib/browser/stored'

const ADDRESSES = 'palmares.visited'
const PLACES = 'palmares.places'
/** More entries than anybody goes back. */
const MOST = 100

const addresses = read(ADDRESSES)
const places = read(PLACES)
// The first entry of every document has the same key: the position of an earlier document is
// removed.
if (isOpenedAnew()) places.delete('default')

/** Records the address of an entry of this tab's history, by the state that the router gave it. */
export function noteVisit(address: string, entry: unknown): void {
  const now = numberOf(entry)
  if (now === null) return
  addresses.set(String(now), address)
  keep(ADDRESSES, addresses)
}

/** The address one step back in this tab; null if it is not on this site. */
export function previousAddress(): string | null {
  const now = entryNumber()
  if (now === null) return null
  return addresses.get(String(now - 1)) ?? (now === 0 ? referringAddress() : null)
}

/**
 * The page of this site whose link loaded this document, as a link does before the script has
 * loaded.
 */
function referringAddress(): string | null {
  if (!isOpenedAnew() || document.referrer === '' || window.history.length < 2) return null
  const { origin, pathname, search } = new URL(document.referrer)
  return origin === window.location.origin ? pathname + search : null
}

/** Records the scroll position of the entry with this key, in pixels. */
export function notePlace(key: string, top: number): void {
  places.delete(key)
  places.set(key, String(Math.round(top)))
}

/** The scroll position of an entry; null for a new one. */
export function placeOf(key: string): number | null {
  const top = places.get(key)
  return top === undefined ? null : Number(top)
}

export function keepPlaces(): void {
  keep(PLACES, places)
}

function isOpenedAnew(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return visit !== undefined && 'type' in visit && visit.type === 'navigate'
}

function entryNumber(): number | null {
  return numberOf(window.history.state)
}

function numberOf(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('idx' in state)) return null
  return typeof state.idx === 'number' ? state.idx : null
}

function read(name: string): Map<string, string> {
  const entries = readJson(readStored(name, 'session'))
  return new Map(Array.isArray(entries) ? entries : [])
}

function keep(name: string, entries: Map<string, string>): void {
  writeStored(name, JSON.stringify([...entries].slice(-MOST)), 'session')
}
