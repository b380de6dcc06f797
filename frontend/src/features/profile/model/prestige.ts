/** The state of a server's Prestige: none, active until a day, ending soon, or over. */

export type Prestige =
  | { state: 'none' }
  | { state: 'active'; until: string }
  | { state: 'ending'; days: number }
  | { state: 'over'; on: string }

/** From so many days before the end on, the remaining days are shown. */
const ENDING = 7
const DAY = 86_400_000
/**
 * Tolerance in milliseconds, so that a day given a moment ago counts as one day despite differing
 * clocks.
 */
const SLACK = 3_600_000

export function prestigeOf(
  server: { is_sponsored: boolean; prestige_expires_at: string | null },
  now: number,
): Prestige {
  const { is_sponsored: sponsored, prestige_expires_at: end } = server
  if (end === null) return { state: 'none' }
  const left = Date.parse(end) - now
  if (left <= 0) return { state: 'over', on: end }
  if (!sponsored) return { state: 'none' }
  const days = Math.max(1, Math.ceil((left - SLACK) / DAY))
  return days <= ENDING ? { state: 'ending', days } : { state: 'active', until: end }
}

interface Candidate {
  is_hidden: boolean
  is_sponsored: boolean
  prestige_expires_at: string | null
}

/**
 * Sorted by need: visible servers without Prestige first, then by the end of Prestige, hidden ones
 * last.
 */
export function byNeed<Server extends Candidate>(servers: readonly Server[], now: number): Server[] {
  const end = (server: Server): number => (isActive(server, now) ? Date.parse(server.prestige_expires_at ?? '') : 0)
  return servers.toSorted((a, b) => Number(a.is_hidden) - Number(b.is_hidden) || end(a) - end(b))
}

/** Whether days given now extend running Prestige. */
export function isActive(server: Omit<Candidate, 'is_hidden'>, now: number): boolean {
  const { state } = prestigeOf(server, now)
  return state === 'active' || state === 'ending'
}
