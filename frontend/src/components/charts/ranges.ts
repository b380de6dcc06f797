/** The ranges of a chart, in days of the site's time zone. */
import { daysAfter, daysIn, siteToday } from '@/lib/time/site-day'

export const RANGES = ['7', '30', '90', 'all'] as const

/** The number of days up to today, or all of them. */
export type Range = (typeof RANGES)[number]

/** The first day of a range, `yyyy-mm-dd`; null for all. */
export function firstDayOf(range: Range, today: string = siteToday()): string | null {
  return range === 'all' ? null : daysAfter(today, 1 - Number(range))
}

/** Every day between two, both included. */
export function daysFrom(first: string, last: string): string[] {
  return Array.from({ length: Math.max(0, daysIn(first, last)) }, (_, index) => daysAfter(first, index))
}

/** The count of each day: zero where there is no row. */
export function countsOn<Row>(
  days: readonly string[],
  rows: readonly Row[],
  dayOf: (row: Row) => string,
  countOf: (row: Row) => number,
): number[] {
  const counted = new Map(rows.map((row) => [dayOf(row), countOf(row)]))
  return days.map((day) => counted.get(day) ?? 0)
}
