import type { Promotion } from './list-state'

/** What the texts call each choice. */
export const PROMOTION_KEYS = {
  all: 'all',
  'prestige-only': 'prestige',
  'regular-only': 'regular',
} as const satisfies Record<Promotion, string>
