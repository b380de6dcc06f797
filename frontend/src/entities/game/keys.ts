/** Cache keys for games. */
import { OWN } from '@/lib/query/own-rows'

export const gameKeys = {
  all: ['games'],
  list: ['games', 'list'],
  /** Pages of the catalog, as the administration's table requests them. */
  table: (wanted: object) => ['games', 'table', wanted] as const,
  edited: (wanted: object) => ['games', OWN, 'table', wanted] as const,
  names: ['games', OWN, 'names'],
} as const
