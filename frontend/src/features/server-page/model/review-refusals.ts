/** Texts that differ for refusals of reviews. */
import type { Refusals } from '@/lib/i18n/refusal'

export const REVIEW_REFUSALS: Refusals = {
  '23505': 'server-page:reviews.problem.twice',
  '42501': 'server-page:reviews.problem.own',
  '401': 'server-page:reviews.problem.login',
  unknown: 'server-page:reviews.problem.failed',
}

export const ANSWER_REFUSALS: Refusals = {
  '23505': 'server-page:reviews.answer.twice',
  '42501': 'server-page:reviews.answer.notYours',
}
