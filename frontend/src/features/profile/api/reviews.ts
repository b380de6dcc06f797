/** The person's reviews. */
import { queryOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

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
    staleTime: STALE_TIME.recent,
  })
