/** The filter of votes, and the reasons for voiding votes. */
import * as v from 'valibot'
import { sanctionDays } from '@/entities/moderation/rules'
import { oneOf, optionalText } from '@/lib/text/rules'
import { daysAfter, daysIn } from '@/lib/time/site-day'
import { dayBegins } from '@/lib/time/site-moment'

export const VOID_REASONS = ['automated', 'bought', 'proxies', 'trial', 'other'] as const
export type VoidReason = (typeof VOID_REASONS)[number]

export const MAX_NOTE = 500

export const voidSchema = v.object({ reason: oneOf(VOID_REASONS), note: optionalText(MAX_NOTE) })
export const addressSchema = v.object({ note: optionalText(MAX_NOTE), days: sanctionDays })

/** The maximum and the default number of days: votes are counted exactly. */
export const MOST_RANGE = 31
const USUAL_RANGE = 7

export interface Range {
  first: string
  last: string
  from: string
  until: string
}

const dayOf = (text: string): string | null => (dayBegins(text) === null ? null : text)

/** The shown days: the last ones, or those in the address, limited to the maximum. */
export function rangeOf(from: string, to: string, today: string): Range {
  const last = dayOf(to) ?? today
  const named = dayOf(from) ?? daysAfter(last, 1 - USUAL_RANGE)
  const length = daysIn(named, last)
  const first = length < 1 ? last : length > MOST_RANGE ? daysAfter(last, 1 - MOST_RANGE) : named
  return { first, last, from: dayBegins(first) ?? '', until: dayBegins(daysAfter(last, 1)) ?? '' }
}

/** The moment so many days from now in the database's format; null without days. */
export function endOf(days: number | null, now: number): string | null {
  return days === null ? null : new Date(now + days * 86_400_000).toISOString()
}
