import { daysAfter } from '@/lib/time/site-day'
import { dayBegins } from '@/lib/time/site-moment'

/** The moments between which two days of the site's clock lie, both included; a day that is none bounds nothing. */
export function periodOf(from: string, to: string): { from: string | null; until: string | null } {
  const last = dayBegins(to) === null ? null : daysAfter(to, 1)
  return { from: dayBegins(from), until: last && dayBegins(last) }
}
