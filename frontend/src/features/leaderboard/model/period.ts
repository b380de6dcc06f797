import type { Period } from '@/entities/vote/own-place'

export const PERIODS: readonly Period[] = ['day', 'week', 'month']

/** The period an address asks for; the month unless it names another. */
export function periodOf(query: URLSearchParams): Period {
  return PERIODS.find((period) => period === query.get('period')) ?? 'month'
}
