import { toApiError } from '@/lib/errors'

export interface NewReview {
  serverId: string
  rating: number
  comment: string
  isAnonymous: boolean
}

/** Publishes the signed-in person's review; the author is who the session says. */
export async function addReview({ serverId, rating, comment, isAnonymous }: NewReview): Promise<void> {
  const { supabase } = await import('@/lib/supabase')
  const { error, status } = await supabase
    .from('reviews')
    .insert({ server_id: serverId, rating, comment, is_anonymous: isAnonymous })
  if (error !== null) throw toApiError(error, status)
}
