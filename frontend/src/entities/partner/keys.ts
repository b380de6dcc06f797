/** Cache keys for the partner sites in the footer. */
import { OWN } from '@/lib/query/own-rows'

export const partnerKeys = {
  all: ['partners'],
  shown: ['partners', 'shown'],
  table: (request: object) => ['partners', OWN, 'table', request] as const,
} as const
