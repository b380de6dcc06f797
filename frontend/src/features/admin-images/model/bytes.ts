import { numberFormat } from '@/lib/i18n/format'
import type { Language } from '@/lib/i18n/languages'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats bytes in the largest unit that they fill. */
export function formatBytes(bytes: number, language: Language): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const options = { style: 'unit', unit: UNITS[step] ?? 'byte', maximumFractionDigits: 1 } as const
  return numberFormat(language, options).format(bytes / 1000 ** step)
}
