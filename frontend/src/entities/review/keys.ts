/** Keys of the cache for reviews. */
import { OWN } from '@/lib/query/own-rows'

export const reviewKeys = {
  all: ['reviews'],
  /** The viewer's session alone knows which one is theirs. */
  ofServer: (id: string, viewer: string | null) => ['reviews', 'server', id, viewer] as const,
  own: (userId: string) => ['reviews', OWN, userId] as const,
  ownOf: (userId: string, serverId: string) => ['reviews', OWN, userId, serverId] as const,
  /** What an owner sees of a server: it tells of reviews without a reply. */
  figures: (serverId: string) => ['reviews', OWN, 'figures', serverId] as const,
} as const
