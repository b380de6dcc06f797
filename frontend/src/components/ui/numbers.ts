/** Parses typed numbers, and formats numbers for a field. */
import { formatTyped } from '@/lib/i18n/format'
import type { Language } from '@/lib/i18n/languages'

/**
 * Parses `1 234,5`, `1,234.5`, `1.234,50`; null for an empty text, NaN for text that is not a
 * number.
 */
export function readNumber(text: string): number | null {
  const bare = text.replace(/[\s\u00a0\u202f']/g, '')
  if (bare === '') return null
  const point = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'))
  const sign = bare[point]
  // A separator that occurs several times, or before another kind of separator, groups thousands.
  const isDecimal = point >= 0 && bare.split(sign ?? '').length === 2
  const integerPart = (isDecimal ? bare.slice(0, point) : bare).replace(/[.,]/g, '')
  const rest = isDecimal ? bare.slice(point + 1) : ''
  const plain = rest === '' ? integerPart : `${integerPart}.${rest}`
  return /^-?\d*(\.\d+)?$/.test(plain) && /\d/.test(plain) ? Number(plain) : Number.NaN
}

export function writeNumber(value: number, decimals: number, language: Language): string {
  if (!Number.isFinite(value)) return ''
  return formatTyped(value, decimals, language)
}
