/** Cache keys for the audit log and the security events. */
import { OWN } from '@/lib/query/own-rows'

export const securityKeys = {
  audit: (wanted: object) => ['security', OWN, 'audit', wanted] as const,
  events: (wanted: object) => ['security', OWN, 'events', wanted] as const,
  types: ['security', OWN, 'types'],
} as const
