/** Deletes a review of one's own from the page of its server and from one's own list. */
import { mutationOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { reviewKeys } from './keys'

async function deleteReview(id: string): Promise<void> {
  const { supabase } = await import('@/lib/api/supabase')
  const { error, status } = await supabase.from('reviews').delete().eq('id', id)
  if (error !== null) throw toApiError(error, status)
}

export const deleteReviewMutation = () =>
  mutationOptions({
    mutationFn: deleteReview,
    meta: {
      // The page of the reviewed server shows the number of reviews.
      invalidates: [reviewKeys.all, serverKeys.details],
      waits: true,
      done: 'review:deleted',
      failed: 'review:notDeleted',
    },
  })
