import { mutationOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'

interface SavedReview {
  /** The id of the changed review; null for a new one. */
  id: string | null
  serverId: string
  rating: number
  comment: string
  isAnonymous: boolean
}

/** Publishes or changes the signed-in person's review; the author is taken from the session. */
async function saveReview({ id, serverId, rating, comment, isAnonymous }: SavedReview): Promise<void> {
  const { supabase } = await import('@/lib/api/supabase')
  const reviews = supabase.from('reviews')
  const words = { rating, comment, is_anonymous: isAnonymous }
  const { error, status } = await (id === null
    ? reviews.insert({ server_id: serverId, ...words })
    : reviews.update(words).eq('id', id))
  if (error !== null) throw toApiError(error, status)
}

/** The form shows refusals; a toast confirms success. */
export const saveReviewMutation = () =>
  mutationOptions({
    mutationFn: saveReview,
    meta: {
      invalidates: [reviewKeys.all, serverKeys.details],
      waits: true,
      done: (_: void, { id }: SavedReview) => ({
        title: id === null ? 'server-page:reviews.done.title' : 'server-page:reviews.changed',
        ...(id === null && { text: 'server-page:reviews.done.text' as const }),
      }),
    },
  })
