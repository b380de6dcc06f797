import type { Language } from '@/lib/languages'

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

/** The owner's title in the reader's language, else in the first one it was written in. */
export function eventTitle(event: ServerEvent, language: Language): string {
  return event[`title_${language}`] ?? event.title_fr ?? event.title_en ?? event.title_es ?? ''
}

/** Whether it has begun; events that have ended are not listed at all. */
export function isLive(event: ServerEvent, now: number): boolean {
  return Date.parse(event.start_date) <= now
}
