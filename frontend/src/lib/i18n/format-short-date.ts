import { calendarZone, dateFormat, formatTime, momentOf, type Moment } from './format'
import type { Language } from './languages'

/** `21 nov. 2026`, for columns: it never breaks. */
export function formatShortDate(value: Moment, language: Language): string {
  const date = momentOf(value)
  const options = { day: 'numeric', month: 'short', year: 'numeric', ...calendarZone(value) } as const
  return date ? dateFormat(language, options).format(date).replaceAll(' ', '\u00a0') : ''
}

/** `21 nov. 2026 14:05`, for columns: it breaks before the hour alone. */
export function formatShortMoment(value: Moment, language: Language): string {
  return `${formatShortDate(value, language)} ${formatTime(value, language)}`
}
