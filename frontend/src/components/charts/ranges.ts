/** The spans of time a chart can show, in days that begin and end on the site's clock. */
import { daysAfter, daysIn, siteToday } from '@/lib/time/site-day'

export const RANGES = ['7', '30', '90', 'all'] as const

/** That many days with today as the last, or all there are. */
export type Range = (typeof RANGES)[number]

/** The first day of a range, `yyyy-mm-dd`; null where all is wanted. */
export function firstDayOf(range: Range, today: string = siteToday()): string | null {
  return range === 'all' ? null : daysAfter(today, 1 - Number(range))
}

/** Every day from one to another. */
export function daysFrom(first: string, last: string): string[] {
  return Array.from({ length: Math.max(0, daysIn(first, last)) }, (_, index) => daysAfter(first, index))
}

/** What was counted on each of the days: nothing where there is no row. */
export function countsOn<Row>(
  days: readonly string[],
  rows: readonly Row[],
  dayOf: (row: Row) => string,
  countOf: (row: Row) => number,
): number[] {
  const counted = new Map(rows.map((row) => [dayOf(row), countOf(row)]))
  return days.map((day) => counted.get(day) ?? 0)
}
