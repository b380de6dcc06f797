/**
 * Calendar days in the site's time zone, as `yyyy-mm-dd`: bookings and daily counts begin and end
 * there.
 */
import { config } from '@/lib/config'
import { zoneOffset } from '@/lib/i18n/format'

const DAY = 86_400_000

/** Today in the site's time zone, wherever the reader is. */
export function siteToday(now: number = Date.now(), timeZone: string = config.timezone): string {
  return new Date(now + zoneOffset(now, timeZone)).toISOString().slice(0, 10)
}

/** The day that many days later; earlier for a negative number. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
}

/** The number of days in a range, both ends included. */
export function daysIn(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1
}
