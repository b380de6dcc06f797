/** What the owner of a server answers to a review; the database lets nobody else, and once. */
import { mutationOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { toApiError } from '@/lib/api/errors'

interface Answer {
  reviewId: string
  comment: string
  /** Whether there is one already, which is changed. */
  changes: boolean
}

async function saveAnswer({ reviewId, comment, changes }: Answer): Promise<void> {
  const { supabase } = await import('@/lib/api/supabase')
  const answers = supabase.from('review_answers')
  const { error, status } = await (changes
    ? answers.update({ comment }).eq('review_id', reviewId).select('review_id').single()
    : answers.insert({ review_id: reviewId, comment }))
  if (error !== null) throw toApiError(error, status)
}

/** The form says a refusal; what is done, a toast. */
export const saveAnswerMutation = () =>
  mutationOptions({
    mutationFn: saveAnswer,
    meta: {
      invalidates: [reviewKeys.all],
      waits: true,
      done: (_: void, { changes }: Answer) => ({
        title: changes ? 'server-page:reviews.answer.changed' : 'server-page:reviews.answer.done',
      }),
    },
  })

async function deleteAnswer(reviewId: string): Promise<void> {
  const { supabase } = await import('@/lib/api/supabase')
  const { error, status } = await supabase.from('review_answers').delete().eq('review_id', reviewId)
  if (error !== null) throw toApiError(error, status)
}

export const deleteAnswerMutation = () =>
  mutationOptions({
    mutationFn: deleteAnswer,
    meta: {
      invalidates: [reviewKeys.all],
      waits: true,
      done: 'server-page:reviews.answer.deleted',
      failed: 'server-page:reviews.answer.notDeleted',
    },
  })
