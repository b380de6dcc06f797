/**
 * Keys of the cache that only pages fetched later use, made by the same rules as those of `query-keys`: what every page
 * loads does not grow with them.
 */
import { OWN } from './query-keys'

export const laterKeys = {
  /** Below `keys.events.all`, so that a change of one renews what visitors see. */
  events: {
    types: ['events', 'types'],
    edited: (serverId: string) => ['events', OWN, serverId] as const,
  },
  /** Below `keys.servers.all`, so that a change of a server renews them. */
  servers: {
    months: (id: string) => ['servers', 'months', id] as const,
    /** Below `keys.reviews.all`, since it tells of reviews without an answer. */
    figures: (id: string) => ['reviews', OWN, 'figures', id] as const,
  },
} as const
