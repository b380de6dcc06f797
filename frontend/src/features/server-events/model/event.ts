/** Validation of an event, and the grouping of a server's events. */
import * as v from 'valibot'
import { eventState, type EventState, type Span } from '@/entities/event/state'
import { LANGUAGES, type Language } from '@/lib/i18n/languages'
import { moment, optionalText } from '@/lib/text/rules'

export const MAX_TITLE = 100
export const MAX_DESCRIPTION = 1000

const inLanguages = (limit: number) =>
  v.object({ fr: optionalText(limit), en: optionalText(limit), es: optionalText(limit) })

/**
 * `words` are the messages for a missing title in every language, and for an end before the
 * beginning.
 */
export const eventSchema = (reader: Language, words: { title: string; end: string }) =>
  v.pipe(
    v.object({
      type: v.pipe(v.string(), v.nonEmpty('choice')),
      title: v.pipe(
        inLanguages(MAX_TITLE),
        v.forward(
          v.check((title) => LANGUAGES.some((language) => title[language] !== ''), words.title),
          [reader],
        ),
      ),
      start: moment(),
      end: moment(),
      description: inLanguages(MAX_DESCRIPTION),
    }),
    v.forward(
      v.partialCheck([['start'], ['end']], ({ start, end }) => !(Date.parse(end) <= Date.parse(start)), words.end),
      ['end'],
    ),
  )

export type EventValues = v.InferOutput<ReturnType<typeof eventSchema>>

/** In the order in which an owner looks for them. */
const STATES = ['live', 'upcoming', 'ended'] as const satisfies readonly EventState[]

/**
 * The events by state, without empty groups: running and upcoming ones by their beginning, past
 * ones with the latest first.
 */
export function grouped<Event extends Span>(
  events: readonly Event[],
  now: number,
): { state: EventState; events: Event[] }[] {
  return STATES.map((state) => ({
    state,
    events: events
      .filter((event) => eventState(event, now) === state)
      .toSorted((a, b) =>
        state === 'ended'
          ? Date.parse(b.end_date) - Date.parse(a.end_date)
          : Date.parse(a.start_date) - Date.parse(b.start_date),
      ),
  })).filter((group) => group.events.length > 0)
}
