import { queryOptions } from '@tanstack/react-query'
import { reviewKeys } from '@/entities/review/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { STALE_TIME } from '@/lib/query/stale-times'

async function fetchOwnReview(serverId: string, viewer: string, signal: AbortSignal) {
  const { supabase } = await import('@/lib/api/supabase')
  // A variable of its own: inline, TypeScript would infer the row's type from the expected result.
  const answer = await supabase
    .from('reviews')
    .select('id, rating, comment, is_anonymous, is_hidden, created_at, updated_at, review_answers(comment, created_at)')
    .eq('server_id', serverId)
    .eq('user_id', viewer)
    .abortSignal(signal)
    .maybeSingle()
  return unwrapOptional(answer)
}

/**
 * The viewer's own review of a server, on whichever page of the list it is; the comment is stored
 * text.
 */
export type OwnReview = NonNullable<Awaited<ReturnType<typeof fetchOwnReview>>>

/** Null if the viewer has written no review. */
export const ownReviewQuery = (serverId: string, viewer: string | null) =>
  queryOptions({
    queryKey: reviewKeys.ownOf(viewer ?? '', serverId),
    queryFn: ({ signal }) => (viewer === null ? null : fetchOwnReview(serverId, viewer, signal)),
    enabled: viewer !== null,
    staleTime: STALE_TIME.steady,
  })
