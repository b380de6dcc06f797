/** The owner's reply to a review; the database accepts one reply, from the owner only. */
import { mutationOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { toApiError } from '@/lib/api/errors'

interface Answer {
  reviewId: string
  comment: string
  /** Whether an existing reply is changed. */
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

/** The form shows refusals; a toast confirms success. */
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
