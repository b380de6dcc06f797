/**
 * Keys of the cache that only pages fetched later use, made by the same rules as those of `query-keys`: what every page
 * loads does not grow with them.
 */
import { OWN } from './query-keys'

export const laterKeys = {
  leaders: {
    all: ['leaders'],
    of: (period: string) => ['leaders', period] as const,
  },
  /** Below `keys.votes.own`, so that a vote renews them. */
  ownVotes: {
    place: (userId: string, period: string) => ['votes', OWN, userId, 'place', period] as const,
    servers: (userId: string) => ['votes', OWN, userId, 'servers'] as const,
    history: (userId: string) => ['votes', OWN, userId, 'history'] as const,
    total: (userId: string) => ['votes', OWN, userId, 'total'] as const,
  },
  /** Below `keys.events.all`, so that a change of one renews what visitors see. */
  events: {
    types: ['events', 'types'],
    edited: (serverId: string) => ['events', OWN, serverId] as const,
    ofFavorites: (ids: readonly string[]) => ['events', 'favorites', ids] as const,
  },
  voteApi: {
    questions: ['vote-api', 'questions'],
  },
  /** What is told of a server's votes, and to whom. */
  deliveries: {
    all: ['deliveries', OWN],
    logs: ['deliveries', OWN, 'log'],
    log: (serverId: string) => ['deliveries', OWN, 'log', serverId] as const,
    receiver: (serverId: string, receiver: string) => ['deliveries', OWN, 'receiver', serverId, receiver] as const,
  },
  /** Below `keys.servers.all`, so that a vote or a change of a server renews them. */
  servers: {
    months: (id: string) => ['servers', 'months', id] as const,
    ticketRule: (id: string) => ['servers', OWN, 'ticket-rule', id] as const,
    /** Below `keys.reviews.all`, since it tells of reviews without an answer. */
    figures: (id: string) => ['reviews', OWN, 'figures', id] as const,
    favorites: (ids: readonly string[]) => ['servers', 'favorites', ids] as const,
    /** Of a person, those that visitors see. */
    shown: (userId: string) => ['servers', OWN, userId, 'shown'] as const,
    /** How it was, day by day. */
    days: (id: string) => ['servers', 'days', id] as const,
    voted: (ids: readonly string[]) => ['servers', 'voted', ids] as const,
    /** Of all of one's own. */
    tokens: (userId: string) => ['servers', OWN, userId, 'tokens'] as const,
    voteApi: (userId: string, id: string) => ['servers', OWN, userId, 'vote-api', id] as const,
  },
} as const
