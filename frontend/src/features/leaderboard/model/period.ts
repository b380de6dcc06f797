import type { Period } from '@/entities/vote/own-place'

export const PERIODS: readonly Period[] = ['day', 'week', 'month']

/** The period in the address; the month by default. */
export function periodOf(query: URLSearchParams): Period {
  return PERIODS.find((period) => period === query.get('period')) ?? 'month'
}
