/** Cache keys for the audit log and the security events. */
import { OWN } from '@/lib/query/own-rows'

export const securityKeys = {
  audit: (request: object) => ['security', OWN, 'audit', request] as const,
  events: (request: object) => ['security', OWN, 'events', request] as const,
  types: ['security', OWN, 'types'],
} as const
