/** Cache keys for days of the Prestige Pass. */
import { OWN } from '@/lib/query/own-rows'

export const passKeys = {
  all: ['pass-days'],
  own: (userId: string) => ['pass-days', OWN, userId] as const,
} as const
