/**
 * Numbers, dates and spans of time by the rules of the reader's language. Pure; formatters are
 * kept, because making one is slow. Stray input gives an empty text, never "Invalid Date".
 */
import { LANGUAGE_TAGS, type Language } from './languages'

export type Moment = Date | string | number

type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.Collator

const cache = new Map<string, Formatter>()

/** The cached formatter of a key, made at the first call; callers in `lib` only. */
export function remembered<T extends Formatter>(key: string, make: () => T): T {
  const known = cache.get(key)
  if (known) return known as T
  const made = make()
  cache.set(key, made)
  return made
}

/** A cached number formatter with options of the caller; callers in `lib` only. */
export function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const tag = LANGUAGE_TAGS[language]
  return remembered(`n ${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options))
}

/** A cached date formatter with options of the caller; callers in `lib` only. */
export function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const tag = LANGUAGE_TAGS[language]
  return remembered(`d ${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options))
}

/** A plain `yyyy-mm-dd` is a calendar day, not an instant: it is the same day wherever the reader is. */
function calendarZone(value: Moment): Intl.DateTimeFormatOptions {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? { timeZone: 'UTC' } : {}
}

/** The date of a value; null if the value is not a valid date. Callers in `lib` only. */
export function momentOf(value: Moment): Date | null {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

/** A whole number with its groups: `12 345`, from four digits in every language, as columns need it. */
export function formatNumber(value: number, language: Language): string {
  const text = numberFormat(language, { maximumFractionDigits: 1, useGrouping: 'always' }).format(value)
  // The narrow no-break space between French groups is hardly visible in bold digits.
  return text.replaceAll('\u202f', '\u00a0')
}

/** An average rating with one decimal: `4,0`. */
export function formatRating(value: number, language: Language): string {
  return numberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)
}

/** A number in compact notation: `12,3 k`. */
export function formatCompact(value: number, language: Language): string {
  return numberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** A share of one: `99,8 %`. What is not whole is never rounded up to it. */
export function formatShare(share: number, language: Language): string {
  const tenths = Math.floor(share * 1000) / 1000
  return numberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(tenths)
}

/** What a field that is typed into shows: no groups, `decimals` places or up to two. */
export function formatTyped(value: number, decimals: number, language: Language): string {
  const places = { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 2) }
  return numberFormat(language, { ...places, useGrouping: false }).format(value)
}

/** `12,50 €`, whole amounts without decimals: `5 €`. `currency`: ISO 4217, upper or lower case. */
export function formatMoney(cents: number, currency: string, language: Language): string {
  const money = { style: 'currency', currency: currency.toUpperCase(), trailingZeroDisplay: 'stripIfInteger' } as const
  return numberFormat(language, money).format(cents / 100)
}

/** An amount with its unit in words: `3 jours`. */
export function formatUnit(value: number, unit: 'day' | 'hour' | 'minute' | 'second', language: Language): string {
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** The collator of a language, for sorting texts. */
export function collatorOf(language: Language): Intl.Collator {
  const tag = LANGUAGE_TAGS[language]
  return remembered(`c ${tag}`, () => new Intl.Collator(tag))
}

/** A day with its month in letters. French counts the first of a month, which `Intl` does not: `1er décembre`. Callers in `lib` only. */
export function dayInWords(value: Moment, language: Language, options: Intl.DateTimeFormatOptions): string {
  const date = momentOf(value)
  const text = date ? dateFormat(language, { day: 'numeric', ...options, ...calendarZone(value) }).format(date) : ''
  return language === 'fr' ? text.replace(/^1\b/, '1er') : text
}

/** `21 novembre 2026`. */
export function formatDate(value: Moment, language: Language): string {
  return dayInWords(value, language, { month: 'long', year: 'numeric' })
}

/** `21 nov.`, for axes and narrow places. */
export function formatDay(value: Moment, language: Language): string {
  return dayInWords(value, language, { month: 'short' })
}

/** `samedi`, of a calendar day or an instant. */
export function formatWeekday(value: Moment, language: Language, width: 'long' | 'short' = 'long'): string {
  const date = momentOf(value)
  return date ? dateFormat(language, { weekday: width, ...calendarZone(value) }).format(date) : ''
}

/** `14:05`, the hour of an instant in the reader's own zone. */
export function formatTime(value: Moment, language: Language): string {
  const date = momentOf(value)
  return date ? dateFormat(language, { timeStyle: 'short' }).format(date) : ''
}

/** Seconds split for a countdown; never negative. */
export function splitDuration(seconds: number): { days: number; hours: number; minutes: number; seconds: number } {
  const wholeSeconds = Math.max(0, Math.floor(seconds))
  return {
    days: Math.floor(wholeSeconds / 86_400),
    hours: Math.floor((wholeSeconds % 86_400) / 3600),
    minutes: Math.floor((wholeSeconds % 3600) / 60),
    seconds: wholeSeconds % 60,
  }
}

/** A clock face for a running countdown: `1:59:07`, `04:30`. */
export function formatClock(seconds: number): string {
  const { days, hours, minutes, seconds: rest } = splitDuration(seconds)
  const pad = (part: number): string => String(part).padStart(2, '0')
  const total = days * 24 + hours
  return total > 0 ? `${total}:${pad(minutes)}:${pad(rest)}` : `${pad(minutes)}:${pad(rest)}`
}

/** A duration in words with its two largest units: `1 heure 59 minutes`, `2 hours`. */
export function formatDuration(seconds: number, language: Language): string {
  const parts = splitDuration(seconds)
  const units = [
    [parts.days, 'day'],
    [parts.hours, 'hour'],
    [parts.minutes, 'minute'],
    [parts.seconds, 'second'],
  ] as const
  const first = units.findIndex(([amount]) => amount > 0)
  if (first === -1) return formatUnit(0, 'second', language)
  return units
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => formatUnit(amount, unit, language))
    .join(' ')
}

/** The offset of a time zone from UTC at an instant, in milliseconds. */
export function zoneOffset(instant: number, timeZone: string): number {
  const format = remembered(
    `z ${timeZone}`,
    () =>
      new Intl.DateTimeFormat('en-US', {
        timeZone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
  )
  const parts = format.formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((candidate) => candidate.type === type)?.value)
  const localTime = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return localTime - Math.floor(instant / 1000) * 1000
}
