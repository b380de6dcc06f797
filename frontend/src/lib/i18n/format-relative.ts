/** How long ago something was, or how long it is until then, in the reader's language. */
import { momentOf, remembered, type Moment } from './format'
import { LANGUAGE_TAGS, type Language } from './languages'

const SECOND = 1000
const RELATIVE_UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400 * SECOND],
  ['month', 30 * 86_400 * SECOND],
  ['week', 7 * 86_400 * SECOND],
  ['day', 86_400 * SECOND],
  ['hour', 3600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
]

/** `il y a 3 jours`, `dans 2 heures`, seen from `now`. */
export function formatRelative(value: Moment, language: Language, now: Moment = Date.now()): string {
  const date = momentOf(value)
  const reference = momentOf(now)
  if (!date || !reference) return ''
  const span = date.getTime() - reference.getTime()
  const [unit, length] = RELATIVE_UNITS.find(([, size]) => Math.abs(span) >= size) ?? (['second', SECOND] as const)
  const tag = LANGUAGE_TAGS[language]
  const format = remembered(`r ${tag}`, () => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  return format.format(Math.trunc(span / length), unit)
}
