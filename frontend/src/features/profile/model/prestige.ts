/** What is said of a server's Prestige: none, active until a day, nearly over, or over. */

export type Prestige =
  | { state: 'none' }
  | { state: 'active'; until: string }
  | { state: 'ending'; days: number }
  | { state: 'over'; on: string }

/** From this many days before its end on, the end is counted down. */
const ENDING = 7
const DAY = 86_400_000

export function prestigeOf(
  server: { is_sponsored: boolean; prestige_expires_at: string | null },
  now: number,
): Prestige {
  const { is_sponsored: sponsored, prestige_expires_at: end } = server
  if (end === null) return { state: 'none' }
  const left = Date.parse(end) - now
  if (left <= 0) return { state: 'over', on: end }
  if (!sponsored) return { state: 'none' }
  const days = Math.ceil(left / DAY)
  return days <= ENDING ? { state: 'ending', days } : { state: 'active', until: end }
}
