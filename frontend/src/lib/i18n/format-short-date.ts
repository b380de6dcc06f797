import { dayInWords, formatTime, type Moment } from './format'
import type { Language } from './languages'

/** `21 nov. 2026`, for columns: it never breaks. */
export function formatShortDate(value: Moment, language: Language): string {
  return dayInWords(value, language, { month: 'short', year: 'numeric' }).replaceAll(' ', '\u00a0')
}

/** `21 nov. 2026 14:05`, for columns: it breaks before the hour alone. */
export function formatShortMoment(value: Moment, language: Language): string {
  return `${formatShortDate(value, language)} ${formatTime(value, language)}`
}
