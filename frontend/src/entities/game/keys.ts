/** Keys of the cache for games. */
import { OWN } from '@/lib/query/own-rows'

export const gameKeys = {
  all: ['games'],
  list: ['games', 'list'],
  /** Pages of the catalogue, as the table of the parts' page asks for them. */
  table: (wanted: object) => ['games', 'table', wanted] as const,
  edited: (wanted: object) => ['games', OWN, 'table', wanted] as const,
  names: ['games', OWN, 'names'],
} as const
