/** Cache keys for votes, and for the ranking of voters. */
import { OWN } from '@/lib/query/own-rows'

export const voteKeys = {
  own: ['votes', OWN],
  arrival: (voteId: string) => ['votes', 'arrival', voteId] as const,
  place: (userId: string, period: string) => ['votes', OWN, userId, 'place', period] as const,
  servers: (userId: string) => ['votes', OWN, userId, 'servers'] as const,
  history: (userId: string) => ['votes', OWN, userId, 'history'] as const,
  total: (userId: string) => ['votes', OWN, userId, 'total'] as const,
  leaders: ['leaders'],
  leadersOf: (period: string) => ['leaders', period] as const,
  /** The responses of the vote API. */
  apiQuestions: ['vote-api', 'questions'],
} as const
