/** The number of days in a purchase of Prestige. */
import * as v from 'valibot'

export const QUICK_DAYS = [7, 15, 30, 60, 90, 180, 365] as const
export const USUAL_DAYS = 30
export const MOST_DAYS = 3650

/** A value that is not a whole number of days becomes one day. */
export function wholeDays(value: number | null): number {
  if (value === null || !Number.isInteger(value) || value < 1) return 1
  return Math.min(value, MOST_DAYS)
}

export interface PriceStep {
  min_days: number
  unit_price_cents: number
}

/**
 * The price per day for so many days, from tiers in any order; undefined where no tier covers so
 * few.
 */
export function unitPriceOf(steps: readonly PriceStep[], days: number): number | undefined {
  const within = steps.filter((step) => step.min_days <= days)
  return within.toSorted((a, b) => b.min_days - a.min_days)[0]?.unit_price_cents
}

const DAY = 86_400_000

/** Whether new days extend running Prestige. */
export function runs(until: string | null, now: number): until is string {
  return until !== null && Date.parse(until) > now
}

/** When Prestige ends after adding days to the remaining ones. */
export function endAfter(until: string | null, days: number, now: number): string {
  const begins = runs(until, now) ? Date.parse(until) : now
  return new Date(begins + days * DAY).toISOString()
}

export const orderSchema = (words: { consent: string }) =>
  v.object({
    days: v.pipe(
      v.custom<number | null>(() => true),
      v.transform(wholeDays),
    ),
    consent: v.custom<boolean>((value) => value === true, words.consent),
  })
