/** What a review must have, and how a refused one is said. */
import type { ApiError } from '@/lib/errors'

export const MAX_COMMENT = 2000

export type ReviewProblem = 'rating' | 'comment' | 'long'
export type ReviewRefusal = 'login' | 'own' | 'twice' | 'failed'

export function reviewProblems({ rating, comment }: { rating: number; comment: string }): {
  rating?: ReviewProblem
  comment?: ReviewProblem
} {
  const length = [...comment].length
  return {
    ...(rating < 1 || rating > 5 ? { rating: 'rating' as const } : {}),
    ...(length === 0 ? { comment: 'comment' as const } : length > MAX_COMMENT ? { comment: 'long' as const } : {}),
  }
}

export function reviewRefusal(error: ApiError): ReviewRefusal {
  if (error.status === 401) return 'login'
  if (error.code === '23505') return 'twice'
  return error.code === '42501' ? 'own' : 'failed'
}
