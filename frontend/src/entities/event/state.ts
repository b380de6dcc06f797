/** The state of a server's event, wherever it is shown. */
export type EventState = 'upcoming' | 'live' | 'ended'

export interface Span {
  /** ISO 8601. */
  start_date: string
  end_date: string
}

export function eventState(event: Span, now: number): EventState {
  if (Date.parse(event.start_date) > now) return 'upcoming'
  return Date.parse(event.end_date) < now ? 'ended' : 'live'
}
