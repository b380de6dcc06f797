export interface ServerEvent {
  id: string
  server_id: string
  title_fr: string | null
  title_en: string | null
  title_es: string | null
  start_date: string
  end_date: string
  event_types: { color: string | null } | null
}

/** Whether it has begun; events that have ended are not listed at all. */
export function isLive(event: ServerEvent, now: number): boolean {
  return Date.parse(event.start_date) <= now
}
