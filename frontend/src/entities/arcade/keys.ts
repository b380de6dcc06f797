/** Cache keys for Arcade spots. */
import { OWN } from '@/lib/query/own-rows'

export const arcadeKeys = {
  all: ['arcade-spots'],
  shown: ['arcade-spots', 'shown'],
  taken: ['arcade-spots', 'taken'],
  cleanup: ['arcade-spots', 'cleanup'],
  table: (request: object) => ['arcade-spots', OWN, 'table', request] as const,
  days: (from: string, until: string) => ['arcade-spots', OWN, 'days', from, until] as const,
} as const
