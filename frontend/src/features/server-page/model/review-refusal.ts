import type { ApiError } from '@/lib/errors'

export type ReviewRefusal = 'login' | 'own' | 'twice' | 'failed'

/** How a refused review is said. */
export function reviewRefusal(error: ApiError): ReviewRefusal {
  if (error.status === 401) return 'login'
  if (error.code === '23505') return 'twice'
  return error.code === '42501' ? 'own' : 'failed'
}
