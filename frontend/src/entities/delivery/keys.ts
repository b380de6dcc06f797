/** Keys of the cache for what is told of the votes of a server, and to whom. */
import { OWN } from '@/lib/query/own-rows'

export const deliveryKeys = {
  all: ['deliveries', OWN],
  logs: ['deliveries', OWN, 'log'],
  log: (serverId: string) => ['deliveries', OWN, 'log', serverId] as const,
  receiver: (serverId: string, receiver: string) => ['deliveries', OWN, 'receiver', serverId, receiver] as const,
} as const
