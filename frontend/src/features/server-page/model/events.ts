/** Which of a server's events are shown, and in what order. */
import { eventState, type Span } from '@/entities/event/state'

export interface PageEvent extends Span {
  id: string
  title_fr: string | null
  title_en: string | null
  title_es: string | null
  description_fr: string | null
  description_en: string | null
  description_es: string | null
  event_types: { name_fr: string; name_en: string; name_es: string; color: string | null } | null
}

/** Those that have not ended: live ones first, then the soonest. */
export function shownEvents<E extends Span>(events: readonly E[], now: number): E[] {
  const rank = (event: E): number => (eventState(event, now) === 'live' ? 0 : 1)
  return events
    .filter((event) => eventState(event, now) !== 'ended')
    .toSorted((a, b) => rank(a) - rank(b) || Date.parse(a.start_date) - Date.parse(b.start_date))
}
