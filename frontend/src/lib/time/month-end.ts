/**
 * The end of the month's ranking: the 1st at midnight in the site's time zone, wherever the reader
 * is.
 */
import { zoneOffset } from '@/lib/i18n/format'

/** In milliseconds, with the hour of a change of daylight saving time. */
const LONGEST_MONTH = (31 * 24 + 1) * 3_600_000

let known: { timeZone: string; from: number; start: number } | undefined

/**
 * The first instant of the next calendar month in `timeZone`, in milliseconds. `announced` is the
 * server's value: creating the first formatter of a zone takes a tenth of a second on a phone, so
 * it is created only when that has passed.
 */
export function nextMonthStart(now: number, timeZone: string, announced = 0): number {
  if (announced > now && announced - now <= LONGEST_MONTH) return announced
  // Cached, because clocks call this every second and formatting in a zone is slow.
  if (known === undefined || known.timeZone !== timeZone || now < known.from || now >= known.start)
    known = { timeZone, from: now, start: monthStartAfter(now, timeZone) }
  return known.start
}

function monthStartAfter(now: number, timeZone: string): number {
  const local = new Date(now + zoneOffset(now, timeZone))
  const nextMonth = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1)
  // The offset at the target may differ from today's if daylight saving time changes in between.
  return nextMonth - zoneOffset(nextMonth - zoneOffset(nextMonth, timeZone), timeZone)
}
