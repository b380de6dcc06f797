/** What is said of a server's Prestige: none, active until a day, nearly over, or over. */

export type Prestige =
  | { state: 'none' }
  | { state: 'active'; until: string }
  | { state: 'ending'; days: number }
  | { state: 'over'; on: string }

/** From this many days before its end on, the end is counted down. */
const ENDING = 7
const DAY = 86_400_000
/** A day given a moment ago is one day, whatever the reader's clock and the last look at it say. */
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

/** Who a day of Prestige helps most comes first: shown and without, then what ends soonest, then what is hidden. */
export function byNeed<Server extends Candidate>(servers: readonly Server[], now: number): Server[] {
  const end = (server: Server): number => (isActive(server, now) ? Date.parse(server.prestige_expires_at ?? '') : 0)
  return servers.toSorted((a, b) => Number(a.is_hidden) - Number(b.is_hidden) || end(a) - end(b))
}

/** Whether days given now are added to days there are. */
export function isActive(server: Omit<Candidate, 'is_hidden'>, now: number): boolean {
  const { state } = prestigeOf(server, now)
  return state === 'active' || state === 'ending'
}
