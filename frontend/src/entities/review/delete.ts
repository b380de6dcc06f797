/** Takes a review of one's own away: from its server's page and from the list of one's own. */
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
      // The page of the server it was about counts it.
      invalidates: [reviewKeys.all, serverKeys.details],
      waits: true,
      done: 'review:deleted',
      failed: 'review:notDeleted',
    },
  })
