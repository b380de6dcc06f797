/**
 * By which rule something is decided against somebody, and what a sanction must have. A rule's words are in the texts
 * `moderation`.
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

/** A rule there are words for. */
export const reasonOf = (code: string | null): Reason => REASONS.find((reason) => reason === code) ?? 'other'

export const MAX_STATEMENT = 1000
export const MOST_DAYS = 3650

/** Days until a sanction ends; null has no end. */
export const sanctionDays = v.nullable(wholeNumber({ min: 1, max: MOST_DAYS }))

/** What whoever is sanctioned is told, and for how long. */
export const sanctionFields = {
  reason: oneOf(REASONS),
  statement: requiredText(MAX_STATEMENT),
  days: sanctionDays,
}
