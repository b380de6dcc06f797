/** Validation of a booking, and the available days. */
import * as v from 'valibot'
import { optionalWebAddress } from '@/lib/text/rules'
import { daysAfter } from '@/lib/time/site-day'

export const POSITIONS = ['1', '2', '3'] as const

/** From the first to the last day, both included; `yyyy-mm-dd`. */
export interface Days {
  from: string
  to: string
}

/** How far ahead a spot may be booked, and the maximum length. */
export const MOST_DAYS = 366

export interface TakenDays extends Days {
  position: number
}

export function takenAt(taken: readonly TakenDays[], position: string): Days[] {
  return taken.filter((days) => String(days.position) === position)
}

export function overlaps(a: Days, b: Days): boolean {
  return a.from <= b.to && b.from <= a.to
}

/** The remaining parts of some days without the taken ones, in their order. */
export function daysLeft(days: Days, taken: readonly Days[]): Days[] {
  const left: Days[] = []
  let from = days.from
  for (const span of taken.filter((one) => overlaps(one, days)).toSorted((a, b) => a.from.localeCompare(b.from))) {
    if (span.from > from) left.push({ from, to: daysAfter(span.from, -1) })
    if (span.to >= from) from = daysAfter(span.to, 1)
  }
  if (from <= days.to) left.push({ from, to: days.to })
  return left
}

export const NO_BOOKING = {
  position: '' as string,
  days: null as Days | null,
  /** Either an uploaded image or the address of an image elsewhere, never both. */
  picture: '',
  pictureAddress: '',
  website: '',
  server: '',
  consent: false,
}

interface BookingWords {
  position: string
  days: string
  taken: string
  picture: string
  consent: string
}

export const bookingSchema = (words: BookingWords, taken: readonly TakenDays[]) =>
  v.pipe(
    v.object({
      position: v.picklist(POSITIONS, words.position),
      days: v.nonNullish(v.object({ from: v.string(), to: v.string() }), words.days),
      picture: v.string(),
      pictureAddress: optionalWebAddress(),
      website: optionalWebAddress(),
      server: v.string(),
      consent: v.custom<boolean>((value) => value === true, words.consent),
    }),
    v.forward(
      v.partialCheck(
        [['position'], ['days']],
        ({ position, days }) => !takenAt(taken, position).some((span) => overlaps(span, days)),
        words.taken,
      ),
      ['days'],
    ),
    v.forward(
      v.partialCheck(
        [['picture'], ['pictureAddress']],
        ({ picture, pictureAddress }) => picture !== '' || pictureAddress !== '',
        words.picture,
      ),
      ['picture'],
    ),
  )
