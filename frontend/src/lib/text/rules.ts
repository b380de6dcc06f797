/**
 * Validation rules that fields share, for schemas in `model/`. A rule reports a code with a limit
 * (`tooLong:500`); the form kit has the messages. Lengths count code points as the database does,
 * not UTF-16 units. For forms only: the library behind it must not be part of the script of every
 * page.
 */
import * as v from 'valibot'

export const PROBLEMS = [
  'required',
  'tooShort',
  'tooLong',
  'tooSmall',
  'tooLarge',
  'tooMany',
  'number',
  'whole',
  'email',
  'webAddress',
  'moment',
  'tooEarly',
  'tooLate',
  'colour',
  'code',
  'choice',
  'passwordsDiffer',
  'invalid',
] as const

export type Problem = (typeof PROBLEMS)[number]

function says(problem: Problem, bound?: number): string {
  return bound === undefined ? problem : `${problem}:${bound}`
}

function characters(text: string): number {
  return Array.from(text).length
}

/** At most `limit` characters. */
export const longest = (limit: number, words = says('tooLong', limit)) =>
  v.check<string, string>((text) => characters(text) <= limit, words)

/** At least `limit` characters. */
export const shortest = (limit: number, words = says('tooShort', limit)) =>
  v.check<string, string>((text) => characters(text) >= limit, words)

/** An optional text; surrounding spaces are trimmed. */
export const optionalText = (limit: number) => v.pipe(v.string(), v.trim(), longest(limit))

/** A required text; surrounding spaces are trimmed. */
export const requiredText = (limit: number, words: string = says('required')) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(words), longest(limit))

/** As lenient as the browser's own email field, except for the dot. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

export const email = () => v.pipe(v.string(), v.trim(), v.nonEmpty(says('required')), v.regex(EMAIL, says('email')))

/** An `http(s)` address, or an empty text. */
export const optionalWebAddress = (limit = 2048) =>
  v.pipe(
    v.string(),
    v.trim(),
    longest(limit),
    v.check((text) => text === '' || isWebAddress(text), says('webAddress')),
  )

/** An `http(s)` address. */
export const webAddress = (limit = 2048) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(says('required')),
    longest(limit),
    v.check((text) => text === '' || isWebAddress(text), says('webAddress')),
  )

/** Whether a text is an `http(s)` address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+\.[^\s]+$/i.test(text) && URL.canParse(text)
}

/** A moment in ISO 8601, within optional bounds. */
export const moment = ({ from, until }: { from?: string; until?: string } = {}) =>
  v.pipe(
    v.string(),
    v.nonEmpty(says('required')),
    v.check((text) => !Number.isNaN(Date.parse(text)), says('moment')),
    v.check((text) => from === undefined || Date.parse(text) >= Date.parse(from), says('tooEarly')),
    v.check((text) => until === undefined || Date.parse(text) <= Date.parse(until), says('tooLate')),
  )

/** A number within bounds; an empty field is `null`, which is refused. */
export const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  v.pipe(
    v.number(says('number')),
    v.integer(says('whole')),
    v.minValue(min, says('tooSmall', min)),
    v.maxValue(max, says('tooLarge', max)),
  )

/** `#rrggbb`. */
export const colour = () => v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, says('colour')))

/** A one-time code: six digits from apps and texts, up to ten from e-mails. */
export const oneTimeCode = () => v.pipe(v.string(), v.regex(/^\d{6,10}$/, says('code')))

export const atMost = (limit: number) => v.maxLength<string[], number, string>(limit, says('tooMany', limit))

/** A required choice. */
export const oneOf = <const Options extends readonly string[]>(options: Options, words: string = says('choice')) =>
  v.picklist(options, words)
