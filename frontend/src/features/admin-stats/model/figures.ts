/** The site's figures, in the form in which they are shown. */
import { daysFrom } from '@/components/charts/ranges'
import { daysAfter } from '@/lib/time/site-day'
import { reasonWords, type ReasonWords } from '@/entities/vote/reasons'
import type { FigureRow } from '../api/figures'

export interface ReasonTotal {
  words: ReasonWords
  kind: 'refused' | 'voided'
  total: number
}

export interface Figures {
  days: string[]
  /** One value for each day, summed over all parts of a figure. */
  valuesOf: (figure: string) => number[]
  totalOf: (figure: string) => number
  /** Why votes did not count, the most frequent first. */
  reasons: ReasonTotal[]
  countedAt: string
}

/** Null where no day has been counted yet. */
export function figuresOf(rows: readonly FigureRow[]): Figures | null {
  const [first] = rows
  if (!first) return null
  const last = daysAfter(first.first_day, first.amounts.length - 1)
  const days = daysFrom(first.first_day, last)
  const of = (figure: string): FigureRow[] => rows.filter((row) => row.figure === figure)
  const reasons = new Map<string, ReasonTotal>()
  for (const { figure, part, total } of rows) {
    if (figure !== 'refused' && figure !== 'voided') continue
    const words = reasonWords(part)
    const known = reasons.get(`${figure} ${words}`)
    reasons.set(`${figure} ${words}`, { words, kind: figure, total: (known?.total ?? 0) + total })
  }
  return {
    days,
    valuesOf: (figure) => days.map((_, index) => of(figure).reduce((sum, row) => sum + (row.amounts[index] ?? 0), 0)),
    totalOf: (figure) => of(figure).reduce((sum, row) => sum + row.total, 0),
    reasons: [...reasons.values()].toSorted((one, other) => other.total - one.total),
    countedAt: first.counted_at,
  }
}
