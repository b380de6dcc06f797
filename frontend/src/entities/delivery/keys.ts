/** Cache keys for the deliveries of a server's votes, and for their receivers. */
import { OWN } from '@/lib/query/own-rows'

export const deliveryKeys = {
  all: ['deliveries', OWN],
  logs: ['deliveries', OWN, 'log'],
  log: (serverId: string) => ['deliveries', OWN, 'log', serverId] as const,
  receiver: (serverId: string, receiver: string) => ['deliveries', OWN, 'receiver', serverId, receiver] as const,
} as const
