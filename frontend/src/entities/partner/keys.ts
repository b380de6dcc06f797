/** Keys of the cache for the sites that the foot of every page names. */
import { OWN } from '@/lib/query/own-rows'

export const partnerKeys = {
  all: ['partners'],
  shown: ['partners', 'shown'],
  table: (wanted: object) => ['partners', OWN, 'table', wanted] as const,
} as const
