/** Cache keys for Arcade spots. */
import { OWN } from '@/lib/query/own-rows'

export const arcadeKeys = {
  all: ['arcade-spots'],
  shown: ['arcade-spots', 'shown'],
  taken: ['arcade-spots', 'taken'],
  cleanup: ['arcade-spots', 'cleanup'],
  table: (wanted: object) => ['arcade-spots', OWN, 'table', wanted] as const,
  days: (from: string, until: string) => ['arcade-spots', OWN, 'days', from, until] as const,
} as const
