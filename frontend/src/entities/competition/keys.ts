/** Cache keys for competitive events. */
import { OWN } from '@/lib/query/own-rows'

export const competitionKeys = {
  all: ['competitions'],
  announced: ['competitions', 'announced'],
  of: (id: string) => ['competitions', 'of', id] as const,
  table: (request: object) => ['competitions', OWN, 'table', request] as const,
} as const
