import { infiniteQueryOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Database } from '@/lib/database'
import { STALE_TIME } from '@/lib/query/stale-times'

export type Review = Pick<
  Database['public']['Views']['reviews_public']['Row'],
  | 'id'
  | 'rating'
  | 'comment'
  | 'author_name'
  | 'author_role'
  | 'is_mine'
  | 'created_at'
  | 'updated_at'
  | 'answer'
  | 'answered_at'
>

const PAGE = 10

/**
 * Newest first, ten at a time. Queried with the viewer's session, which decides which review is
 * marked as the viewer's own.
 */
export const reviewsQuery = (serverId: string, viewer: string | null) =>
  infiniteQueryOptions({
    queryKey: reviewKeys.ofServer(serverId, viewer),
    queryFn: ({ pageParam, signal }) => fetchReviews(serverId, viewer, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? null : pages.length * PAGE),
    staleTime: STALE_TIME.steady,
  })

async function fetchReviews(
  serverId: string,
  viewer: string | null,
  from: number,
  signal: AbortSignal,
): Promise<Review[]> {
  // The client is already loaded for signed-in people; guests do not need it to read.
  const client: typeof publicData =
    viewer === null ? publicData : (await import('@/lib/api/supabase')).supabase.schema('public')
  return unwrap(
    await client
      .from('reviews_public')
      .select('id,rating,comment,author_name,author_role,is_mine,created_at,updated_at,answer,answered_at')
      .eq('server_id', serverId)
      .order('created_at', { ascending: false })
      .order('id')
      .range(from, from + PAGE - 1)
      .abortSignal(signal),
  )
}
