/** Validation of a decision against a server, and of a gift of Prestige. */
import * as v from 'valibot'
import { requiredText, wholeNumber } from '@/lib/text/rules'

export const MAX_REASON = 1000
const MOST_DAYS = 3650

/** The owner reads the reason. */
export const reasonSchema = v.object({ reason: requiredText(MAX_REASON) })
export const daysSchema = v.object({ days: wholeNumber({ min: 1, max: MOST_DAYS }) })

export const STATES = ['waiting', 'shown', 'suspended', 'hidden', 'refused'] as const
export type ServerState = (typeof STATES)[number]
export const LOOKS = { waiting: 'waiting', shown: 'good', suspended: 'bad', hidden: 'off', refused: 'bad' } as const

/** Prestige that has ended stays in its row until a job removes it. */
export function isPromoted(
  server: { is_sponsored: boolean; prestige_expires_at: string | null },
  now: number,
): boolean {
  return server.is_sponsored && Date.parse(server.prestige_expires_at ?? '') > now
}

/** A state that has a text; the database has no others. */
export function stateOf(text: string | null): ServerState {
  return STATES.find((state) => state === text) ?? 'hidden'
}
