/** Cache keys for profiles, including the one of the session. */
import { OWN } from '@/lib/query/own-rows'

export const profileKeys = {
  all: ['profile'],
  details: (userId: string) => ['profile', OWN, userId, 'details'] as const,
  warnings: (userId: string) => ['warnings', OWN, userId] as const,
  /** People whose name contains a text. */
  found: (text: string) => ['profile', OWN, 'found', text] as const,
} as const
