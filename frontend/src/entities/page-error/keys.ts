/** Cache keys for script errors that browsers report. */
import { OWN } from '@/lib/query/own-rows'

export const pageErrorKeys = {
  table: (request: object) => ['page-errors', OWN, request] as const,
} as const
