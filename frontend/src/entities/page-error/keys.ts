/** Cache keys for script errors that browsers report. */
import { OWN } from '@/lib/query/own-rows'

export const pageErrorKeys = {
  table: (wanted: object) => ['page-errors', OWN, wanted] as const,
} as const
