/** A table as a file that spreadsheets open. */
import type { Language } from '@/lib/i18n/languages'

export type CsvValue = string | number | boolean | null | undefined

/** Where the comma is the decimal sign, spreadsheets part columns by semicolons. */
const SEPARATORS: Readonly<Record<Language, string>> = { fr: ';', es: ';', en: ',' }
/** Without it some spreadsheets read UTF-8 as something else. */
const MARK = '\ufeff'

export function csvOf(head: readonly string[], rows: readonly (readonly CsvValue[])[], language: Language): string {
  const separator = SEPARATORS[language]
  const line = (cells: readonly CsvValue[]): string => cells.map((cell) => cellOf(cell, separator)).join(separator)
  return MARK + [head, ...rows].map(line).join('\r\n') + '\r\n'
}

/** Text that a spreadsheet would take for a formula is kept from being one. */
function cellOf(value: CsvValue, separator: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}
