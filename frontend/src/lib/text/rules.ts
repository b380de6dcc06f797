/**
 * The rules fields share, for schemas in `model/`. A rule says what is wrong by a code and a bound (`tooLong:500`); the
 * form kit has the words. Lengths count characters as the database does, not the halves of an emoji. Forms only: the
 * library behind it must stay out of what every page loads.
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

/** A line or more of text that may be left empty; blanks around it go. */
export const optionalText = (limit: number) => v.pipe(v.string(), v.trim(), longest(limit))

/** The same, which must not be left empty. */
export const requiredText = (limit: number, words: string = says('required')) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(words), longest(limit))

/** As lenient as the browser's own e-mail field, but for the dot. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

export const email = () => v.pipe(v.string(), v.trim(), v.nonEmpty(says('required')), v.regex(EMAIL, says('email')))

/** An `http(s)` address, or nothing. */
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

/** A moment in ISO 8601, within bounds that are moments too. */
export const moment = ({ from, until }: { from?: string; until?: string } = {}) =>
  v.pipe(
    v.string(),
    v.nonEmpty(says('required')),
    v.check((text) => !Number.isNaN(Date.parse(text)), says('moment')),
    v.check((text) => from === undefined || Date.parse(text) >= Date.parse(from), says('tooEarly')),
    v.check((text) => until === undefined || Date.parse(text) <= Date.parse(until), says('tooLate')),
  )

/** A number within bounds; an empty field gives `null`, which is refused. */
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

/** A choice that must be made. */
export const oneOf = <const Options extends readonly string[]>(options: Options, words: string = says('choice')) =>
  v.picklist(options, words)
