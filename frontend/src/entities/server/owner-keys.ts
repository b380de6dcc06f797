/** Keys of the cache for what owners and those who run the site see of servers, below `serverKeys.all`. */
import { OWN } from '@/lib/query/own-rows'

export const ownerKeys = {
  own: (userId: string) => ['servers', OWN, userId] as const,
  /** One as its owner edits it. */
  edited: (userId: string, id: string) => ['servers', OWN, userId, 'edited', id] as const,
  slots: (userId: string) => ['servers', OWN, userId, 'slots'] as const,
  /** Of all of one's own. */
  tokens: (userId: string) => ['servers', OWN, userId, 'tokens'] as const,
  voteApi: (userId: string, id: string) => ['servers', OWN, userId, 'vote-api', id] as const,
  ticketRule: (id: string) => ['servers', OWN, 'ticket-rule', id] as const,
  /** Until when it has Prestige. */
  prestigeUntil: (id: string) => ['servers', OWN, 'until', id] as const,
  /** Of everybody, as those who run the site look through them. */
  table: (wanted: object) => ['servers', OWN, 'table', wanted] as const,
} as const
