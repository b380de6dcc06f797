import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/errors'
import { keys } from '@/lib/query-keys'
import { reviewRefusal } from '../model/review'

interface NewReview {
  serverId: string
  rating: number
  comment: string
  isAnonymous: boolean
}

/** Publishes the signed-in person's review; the author is who the session says. */
async function addReview({ serverId, rating, comment, isAnonymous }: NewReview): Promise<void> {
  const { supabase } = await import('@/lib/supabase')
  const { error, status } = await supabase
    .from('reviews')
    .insert({ server_id: serverId, rating, comment, is_anonymous: isAnonymous })
  if (error !== null) throw toApiError(error, status)
}

export const addReviewMutation = () =>
  mutationOptions({
    mutationFn: addReview,
    meta: {
      invalidates: [keys.reviews.all, keys.servers.details],
      done: { title: 'server-page:reviews.done.title', text: 'server-page:reviews.done.text' },
      failed: (error) => ({ title: `server-page:reviews.problem.${reviewRefusal(error)}` }),
    },
  })
