/** When the month's votes start over: the 1st at midnight in the site's own time zone, wherever the reader is. */
import { zoneOffset } from '@/lib/i18n/format'

/** In milliseconds; the clocks may shift by an hour within a month. */
const LONGEST_MONTH = (31 * 24 + 1) * 3_600_000

let known: { timeZone: string; from: number; start: number } | undefined

/**
 * The first instant of the next calendar month of `timeZone`, in milliseconds. `announced` is what the server says it is:
 * making the first formatter of a zone takes a phone a tenth of a second, so it is made only when that has passed.
 */
export function nextMonthStart(now: number, timeZone: string, announced = 0): number {
  if (announced > now && announced - now <= LONGEST_MONTH) return announced
  // Clocks ask every second, and reading a zone is slow.
  if (known === undefined || known.timeZone !== timeZone || now < known.from || now >= known.start)
    known = { timeZone, from: now, start: monthStartAfter(now, timeZone) }
  return known.start
}

function monthStartAfter(now: number, timeZone: string): number {
  const local = new Date(now + zoneOffset(now, timeZone))
  const wanted = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1)
  // The offset at the target may differ from today's when the clocks change in between.
  return wanted - zoneOffset(wanted - zoneOffset(wanted, timeZone), timeZone)
}
