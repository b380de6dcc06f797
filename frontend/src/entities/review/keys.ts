/** Cache keys for reviews. */
import { OWN } from '@/lib/query/own-rows'

export const reviewKeys = {
  all: ['reviews'],
  /** The key has the viewer's id, because a viewer's own review is marked. */
  ofServer: (id: string, viewer: string | null) => ['reviews', 'server', id, viewer] as const,
  own: (userId: string) => ['reviews', OWN, userId] as const,
  ownOf: (userId: string, serverId: string) => ['reviews', OWN, userId, serverId] as const,
  /** The owner's figures of a server include reviews without a reply. */
  figures: (serverId: string) => ['reviews', OWN, 'figures', serverId] as const,
} as const
