/** The outcomes of a server's votes, as they are shown. */
import { reasonWords, type ReasonWords } from '@/entities/vote/reasons'
import type { VoteOutcome } from '../api/vote-outcomes'

export interface OutcomeText {
  kind: 'accepted' | 'refused' | 'voided'
  lastDays: number
  total: number
}

export interface ReasonTotal {
  words: ReasonWords
  lastDays: number
  total: number
}

/** The three sums, in their order. */
export function sumsOf(outcomes: readonly VoteOutcome[]): OutcomeText[] {
  return (['accepted', 'refused', 'voided'] as const).map((kind) => {
    const ofKind = outcomes.filter((outcome) => outcome.kind === kind)
    return {
      kind,
      lastDays: ofKind.reduce((sum, outcome) => sum + outcome.last_days, 0),
      total: ofKind.reduce((sum, outcome) => sum + outcome.total, 0),
    }
  })
}

/** Why votes did not count, the most frequent reason first; unknown reasons count as others. */
export function reasonsOf(outcomes: readonly VoteOutcome[]): ReasonTotal[] {
  const totals = new Map<ReasonWords, ReasonTotal>()
  for (const { kind, reason, last_days, total } of outcomes) {
    if (kind === 'accepted') continue
    const words = reasonWords(reason)
    const known = totals.get(words) ?? { words, lastDays: 0, total: 0 }
    totals.set(words, { words, lastDays: known.lastDays + last_days, total: known.total + total })
  }
  return [...totals.values()].toSorted((one, other) => other.total - one.total)
}
