/** Cache keys for games. */
import { OWN } from '@/lib/query/own-rows'

export const gameKeys = {
  all: ['games'],
  list: ['games', 'list'],
  /** Pages of the catalog, as the administration's table requests them. */
  table: (request: object) => ['games', 'table', request] as const,
  edited: (request: object) => ['games', OWN, 'table', request] as const,
  names: ['games', OWN, 'names'],
} as const
