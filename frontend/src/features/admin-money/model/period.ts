import { daysAfter } from '@/lib/time/site-day'
import { dayBegins } from '@/lib/time/site-moment'

export interface Period {
  from: string | null
  until: string | null
}

/**
 * The moments at which two days of the site's time zone begin and end, both included; an invalid
 * day sets no bound.
 */
export function periodOf(from: string, to: string): Period {
  const last = dayBegins(to) === null ? null : daysAfter(to, 1)
  return { from: dayBegins(from), until: last && dayBegins(last) }
}
