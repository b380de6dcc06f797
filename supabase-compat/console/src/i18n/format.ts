/**
 * Formats numbers, sizes and dates in the reader's language. Invalid input becomes a dash, never
 * "Invalid Date".
 */
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

export type Moment = Date | string | number | null | undefined

const RELATIVE: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export interface Formats {
  number: (value: number, options?: Intl.NumberFormatOptions) => string
  /** `1.2 MB`, in steps of 1,000. */
  size: (bytes: number) => string
  /** `12 ms`, `1.3 s`. */
  milliseconds: (value: number) => string
  date: (value: Moment) => string
  dateTime: (value: Moment) => string
  /** The time of day with seconds, for lists of the same day. */
  time: (value: Moment) => string
  /** `3 hours ago`, `in 2 days`. */
  relative: (value: Moment, now?: number) => string
}

function dateOf(value: Moment): Date | null {
  if (value === null || value === undefined || value === '') return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

export function formatsOf(language: string): Formats {
  const dated = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, options)
    return (value: Moment) => {
      const date = dateOf(value)
      return date ? format.format(date) : '–'
    }
  }
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const number: Formats['number'] = (value, options) => new Intl.NumberFormat(language, options).format(value)
  return {
    number,
    size(bytes) {
      const step = Math.min(SIZES.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
      const value = bytes / 1000 ** step
      return number(value, {
        style: 'unit',
        unit: SIZES[step],
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
      })
    },
    milliseconds(value) {
      return value < 1000
        ? number(value, {
            style: 'unit',
            unit: 'millisecond',
            maximumFractionDigits: value < 1 ? 2 : value < 10 ? 1 : 0,
          })
        : number(value / 1000, { style: 'unit', unit: 'second', maximumFractionDigits: 1 })
    },
    date: dated({ dateStyle: 'medium' }),
    dateTime: dated({ dateStyle: 'medium', timeStyle: 'short' }),
    time: dated({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    relative(value, now = Date.now()) {
      const date = dateOf(value)
      if (!date) return '–'
      const seconds = (date.getTime() - now) / 1000
      const [unit, length] = RELATIVE.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
      return relative.format(Math.trunc(seconds / length), unit)
    },
  }
}

export function useFormats(): Formats {
  const { i18n } = useTranslation('shared')
  return useMemo(() => formatsOf(i18n.language), [i18n.language])
}
