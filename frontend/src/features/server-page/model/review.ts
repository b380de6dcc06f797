/** Validation of a review. For the form only, which is loaded when it is opened. */
import * as v from 'valibot'
import { requiredText } from '@/lib/text/rules'

export const MAX_COMMENT = 2000

export const MAX_ANSWER = 1000

export const answerSchema = v.object({ comment: requiredText(MAX_ANSWER) })

/** `words` are the messages for a missing rating or comment. */
export const reviewSchema = (words: { rating: string; comment: string }) =>
  v.object({
    rating: v.pipe(v.number(words.rating), v.minValue(1, words.rating), v.maxValue(5, words.rating)),
    comment: requiredText(MAX_COMMENT, words.comment),
    isAnonymous: v.boolean(),
  })
