/** What the person said of servers. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { serverKeys } from '@/entities/server/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

async function fetchReviews(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('reviews')
      .select(
        `id, rating, comment, is_anonymous, is_hidden, created_at, server_name, servers(id, slug),
        review_answers(comment)`,
      )
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .abortSignal(signal),
  )
}

export type OwnReview = Awaited<ReturnType<typeof fetchReviews>>[number]

export const reviewsQuery = (userId: string) =>
  queryOptions({
    queryKey: reviewKeys.own(userId),
    queryFn: ({ signal }) => fetchReviews(userId, signal),
    staleTime: 30_000,
  })

async function deleteReview(id: string): Promise<void> {
  const { error, status } = await supabase.from('reviews').delete().eq('id', id)
  if (error !== null) throw toApiError(error, status)
}

export const deleteReviewMutation = () =>
  mutationOptions({
    mutationFn: deleteReview,
    meta: {
      // The page of the server it was about lists it and counts it.
      invalidates: [reviewKeys.all, serverKeys.all],
      waits: true,
      done: 'profile:reviews.deleted',
      failed: 'profile:reviews.notDeleted',
    },
  })
