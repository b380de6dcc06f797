import * as v from 'valibot'
import { optionalText, requiredText, wholeNumber } from '@/lib/text/rules'

export const STATES = ['upcoming', 'live', 'due', 'ended'] as const
export type ContestState = (typeof STATES)[number]

/** The state of the event: `due` is over but not finalized. */
export function stateOf(
  contest: { start_date: string; end_date: string; is_finished: boolean },
  now: number,
): ContestState {
  if (contest.is_finished) return 'ended'
  if (Date.parse(contest.end_date) <= now) return 'due'
  return Date.parse(contest.start_date) <= now ? 'live' : 'upcoming'
}

export const LIMITS = { name: 120, description: 4000, target: 100_000_000, winners: 100, days: 365 }

/** The constraints of the database, checked in the form. */
export const contestSchema = (endsTooEarly: string) =>
  v.pipe(
    v.object({
      name: v.object({
        fr: requiredText(LIMITS.name),
        en: optionalText(LIMITS.name),
        es: optionalText(LIMITS.name),
      }),
      description: v.object({
        fr: optionalText(LIMITS.description),
        en: optionalText(LIMITS.description),
        es: optionalText(LIMITS.description),
      }),
      start: v.pipe(v.string(), v.nonEmpty('required')),
      end: v.pipe(v.string(), v.nonEmpty('required')),
      target: wholeNumber({ min: 1, max: LIMITS.target }),
      winners: wholeNumber({ min: 1, max: LIMITS.winners }),
      days: wholeNumber({ min: 1, max: LIMITS.days }),
      games: v.array(v.string()),
      active: v.boolean(),
    }),
    v.forward(
      v.partialCheck([['start'], ['end']], ({ start, end }) => Date.parse(end) > Date.parse(start), endsTooEarly),
      ['end'],
    ),
  )
