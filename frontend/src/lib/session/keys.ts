/** Keys of the cache for what the session itself asks for. */
import { OWN } from '@/lib/query/own-rows'

export const sessionKeys = {
  /** Below `profileKeys.all`, so that a change of a profile renews it. */
  profile: (userId: string | null) => ['profile', OWN, userId, 'session'] as const,
} as const
