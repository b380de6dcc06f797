/** Keys of the cache for errors of the site's scripts, as browsers report them. */
import { OWN } from '@/lib/query/own-rows'

export const pageErrorKeys = {
  table: (wanted: object) => ['page-errors', OWN, wanted] as const,
} as const
