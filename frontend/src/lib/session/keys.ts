/** Cache keys for the session. */
import { OWN } from '@/lib/query/own-rows'

export const sessionKeys = {
  /** Below `profileKeys.all`, so that a change of a profile invalidates it. */
  profile: (userId: string | null) => ['profile', OWN, userId, 'session'] as const,
} as const
