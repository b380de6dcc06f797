/** The state of a decision, and the validation of an appeal. */
import * as v from 'valibot'
import { requiredText } from '@/lib/text/rules'
import type { Decision } from '../api/decisions'

export const MAX_APPEAL = 2000

export const appealSchema = v.object({ message: requiredText(MAX_APPEAL) })

/** Months in which a decision can be appealed. */
const APPEAL_MONTHS = 6

export type AppealState = 'open' | 'waiting' | 'upheld' | 'overturned' | 'closed'

export function appealState(decision: Decision, now: number): AppealState {
  if (decision.appeal_decision === 'overturned') return 'overturned'
  if (decision.appeal_decision !== null) return 'upheld'
  if (decision.appealed_at !== null) return 'waiting'
  if (decision.taken_back_at !== null) return 'closed'
  const until = new Date(decision.decided_at)
  until.setMonth(until.getMonth() + APPEAL_MONTHS)
  return now < until.getTime() ? 'open' : 'closed'
}

const DECISIONS = ['approved', 'refused', 'disabled', 'dismissed', 'hidden', 'reverted', 'sanctioned'] as const

/** The text key of a decision; a decision that is unknown here is shown by its sanction. */
export function decisionWord({ decision, sanction }: Decision): (typeof DECISIONS)[number] | 'warning' | 'ban' {
  if (sanction === 'warning' || sanction === 'ban') return sanction
  return DECISIONS.find((known) => known === decision) ?? 'sanctioned'
}
