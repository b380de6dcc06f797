/** Cache keys for events of servers, and for their types. */
import { OWN } from '@/lib/query/own-rows'

export const eventKeys = {
  all: ['events'],
  ofServers: (ids: readonly string[]) => ['events', 'servers', ids] as const,
  ofServer: (id: string) => ['events', 'server', id] as const,
  edited: (serverId: string) => ['events', OWN, serverId] as const,
  types: ['events', 'types'],
  typeTable: (request: object) => ['events', OWN, 'types', request] as const,
} as const
