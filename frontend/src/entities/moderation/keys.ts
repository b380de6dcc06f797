/** Cache keys for moderation of servers, reviews and people. */
import { OWN } from '@/lib/query/own-rows'

export const moderationKeys = {
  all: ['moderation', OWN],
  cases: (request: object) => ['moderation', OWN, 'cases', request] as const,
  file: (id: string) => ['moderation', OWN, 'file', id] as const,
  reports: (request: object) => ['moderation', OWN, 'reports', request] as const,
  people: (request: object) => ['moderation', OWN, 'people', request] as const,
  bans: ['moderation', OWN, 'bans'],
  votes: (request: object) => ['moderation', OWN, 'votes', request] as const,
  ownDecisions: ['moderation', OWN, 'decisions'],
  /** The number of pending cases, for administrators and moderators. */
  pending: ['waiting', OWN],
} as const
