/** Which of a server's events are shown and in what state. */

export interface PageEvent {
  id: string
  title_fr: string | null
  title_en: string | null
  title_es: string | null
  description_fr: string | null
  description_en: string | null
  description_es: string | null
  start_date: string
  end_date: string
  event_types: { name_fr: string; name_en: string; name_es: string; color: string | null } | null
}

export type EventState = 'upcoming' | 'live' | 'ended'

export function eventState(event: Pick<PageEvent, 'start_date' | 'end_date'>, now: number): EventState {
  if (Date.parse(event.start_date) > now) return 'upcoming'
  return Date.parse(event.end_date) < now ? 'ended' : 'live'
}

/** Those that have not ended: live ones first, then the soonest. */
export function shownEvents<E extends Pick<PageEvent, 'start_date' | 'end_date'>>(
  events: readonly E[],
  now: number,
): E[] {
  const rank = (event: E): number => (eventState(event, now) === 'live' ? 0 : 1)
  return events
    .filter((event) => eventState(event, now) !== 'ended')
    .toSorted((a, b) => rank(a) - rank(b) || Date.parse(a.start_date) - Date.parse(b.start_date))
}
