/**
 * The rules behind a decision against somebody, and the fields of a sanction. The namespace
 * `moderation` has the text of each rule.
 */
import * as v from 'valibot'
import { oneOf, requiredText, wholeNumber } from '@/lib/text/rules'

export const REASONS = [
  'illegal',
  'hate',
  'sexual',
  'harassment',
  'spam',
  'deceptive',
  'malicious',
  'copyright',
  'personal_data',
  'cheating',
  'rules',
  'other',
] as const
export type Reason = (typeof REASONS)[number]

/** A rule that has a text; an unknown one becomes a general one. */
export const reasonOf = (code: string | null): Reason => REASONS.find((reason) => reason === code) ?? 'other'

export const MAX_STATEMENT = 1000
export const MOST_DAYS = 3650

/** Days until a sanction ends; null for no end. */
export const sanctionDays = v.nullable(wholeNumber({ min: 1, max: MOST_DAYS }))

/** The reason that the sanctioned person reads, and the duration. */
export const sanctionFields = {
  reason: oneOf(REASONS),
  statement: requiredText(MAX_STATEMENT),
  days: sanctionDays,
}
