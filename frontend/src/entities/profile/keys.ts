/** Keys of the cache for profiles, below which is the one of the session. */
import { OWN } from '@/lib/query/own-rows'

export const profileKeys = {
  all: ['profile'],
  details: (userId: string) => ['profile', OWN, userId, 'details'] as const,
  warnings: (userId: string) => ['warnings', OWN, userId] as const,
  /** People whose name holds a text. */
  found: (text: string) => ['profile', OWN, 'found', text] as const,
} as const
