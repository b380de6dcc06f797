/** A table as a CSV file that spreadsheets open. */
import type { Language } from '@/lib/i18n/languages'

export type CsvValue = string | number | boolean | null | undefined

/** In languages with a decimal comma, spreadsheets separate columns by semicolons. */
const SEPARATORS: Readonly<Record<Language, string>> = { fr: ';', es: ';', en: ',' }
/** A byte order mark, without which some spreadsheets do not read UTF-8. */
const MARK = '\ufeff'

export function csvOf(head: readonly string[], rows: readonly (readonly CsvValue[])[], language: Language): string {
  const separator = SEPARATORS[language]
  const line = (cells: readonly CsvValue[]): string => cells.map((cell) => cellOf(cell, separator)).join(separator)
  return MARK + [head, ...rows].map(line).join('\r\n') + '\r\n'
}

/** Text that a spreadsheet would read as a formula is escaped. */
function cellOf(value: CsvValue, separator: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}
