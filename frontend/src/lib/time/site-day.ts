/** Calendar days by the site's own clock, as `yyyy-mm-dd`: what is booked and counted by the day begins and ends there. */
import { config } from '@/lib/config'
import { zoneOffset } from '@/lib/i18n/format'

const DAY = 86_400_000

/** Today where the site is, wherever the reader is. */
export function siteToday(now: number = Date.now(), timeZone: string = config.timezone): string {
  return new Date(now + zoneOffset(now, timeZone)).toISOString().slice(0, 10)
}

/** The day that many days later; earlier for less than none. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
}

/** How many days a span has, both its ends included. */
export function daysIn(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1
}
