import type { Promotion } from './list-state'

/** The text key of each choice. */
export const PROMOTION_KEYS = {
  all: 'all',
  'prestige-only': 'prestige',
  'regular-only': 'regular',
} as const satisfies Record<Promotion, string>
