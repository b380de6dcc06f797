import { dateFormat } from './format'
import type { Language } from './languages'

/** `novembre 2026`, of the month a calendar day lies in. */
export function formatMonth(day: string, language: Language): string {
  return dateFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))
}
