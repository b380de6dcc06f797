/** Cache keys for moderation of servers, reviews and people. */
import { OWN } from '@/lib/query/own-rows'

export const moderationKeys = {
  all: ['moderation', OWN],
  cases: (wanted: object) => ['moderation', OWN, 'cases', wanted] as const,
  file: (id: string) => ['moderation', OWN, 'file', id] as const,
  reports: (wanted: object) => ['moderation', OWN, 'reports', wanted] as const,
  people: (wanted: object) => ['moderation', OWN, 'people', wanted] as const,
  bans: ['moderation', OWN, 'bans'],
  votes: (wanted: object) => ['moderation', OWN, 'votes', wanted] as const,
  ownDecisions: ['moderation', OWN, 'decisions'],
  /** The number of pending cases, for administrators and moderators. */
  pending: ['waiting', OWN],
} as const
