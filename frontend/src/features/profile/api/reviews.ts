/** What the person said of servers. */
import { queryOptions } from '@tanstack/react-query'
import { toApiError, unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { profileKeys } from './keys'

async function fetchReviews(userId: string) {
  return unwrap(
    await supabase
      .from('reviews')
      .select('id, rating, comment, is_anonymous, is_hidden, created_at, server_name, servers(id, slug)')
      .eq('user_id', userId)
      .order('created_at', { ascending: false }),
  )
}

export type OwnReview = Awaited<ReturnType<typeof fetchReviews>>[number]

export const reviewsQuery = (userId: string) =>
  queryOptions({ queryKey: profileKeys.reviews(userId), queryFn: () => fetchReviews(userId), staleTime: 30_000 })

export async function deleteReview(id: string): Promise<void> {
  const { error, status } = await supabase.from('reviews').delete().eq('id', id)
  if (error !== null) throw toApiError(error, status)
}
