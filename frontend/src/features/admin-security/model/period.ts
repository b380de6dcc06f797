import { daysAfter } from '@/lib/time/site-day'
import { dayBegins } from '@/lib/time/site-moment'

/**
 * The moments at which two days of the site's time zone begin and end, both included; an invalid
 * day sets no bound.
 */
export function periodOf(from: string, to: string): { from: string | null; until: string | null } {
  const last = dayBegins(to) === null ? null : daysAfter(to, 1)
  return { from: dayBegins(from), until: last && dayBegins(last) }
}
