/**
 * Keys of the cache that only pages fetched later use, made by the same rules as those of `query-keys`: what every page
 * loads does not grow with them.
 */
import { OWN } from './query-keys'

export const laterKeys = {
  /** Tables of the catalogue, below what visitors see of it, so that a change renews both. */
  catalogue: {
    tags: (wanted: object) => ['tags', OWN, 'table', wanted] as const,
    tagUse: (name: string) => ['tags', OWN, 'use', name] as const,
    proposals: (wanted: object) => ['tag-proposals', OWN, 'table', wanted] as const,
    games: (wanted: object) => ['games', OWN, 'table', wanted] as const,
    eventTypes: (wanted: object) => ['events', OWN, 'types', wanted] as const,
    servers: (wanted: object) => ['servers', OWN, 'table', wanted] as const,
    gameNames: ['games', OWN, 'names'],
    people: (text: string) => ['profile', OWN, 'found', text] as const,
    settings: ['settings', OWN],
  },
  /** Sites the foot of every page names. */
  partners: {
    all: ['partners'],
    shown: ['partners', 'shown'],
    table: (wanted: object) => ['partners', OWN, 'table', wanted] as const,
  },
  /** Rankings of months that are over. */
  archive: (month: string, game: string | null, page: number) => ['podiums', 'places', month, game, page] as const,
  /** What the site found in its own pages. */
  seoAudit: ['seo-audit'],
  leaders: {
    all: ['leaders'],
    of: (period: string) => ['leaders', period] as const,
  },
  /** What somebody without an account is about to report. */
  noticeTarget: (server: string, review: string) => ['notice', server, review] as const,
  /** Solved challenges, kept by nobody but the form that asked. */
  captcha: (purpose: string, serverId: string) => ['captcha', purpose, serverId] as const,
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
  /** What those who run the site did, and what the site noticed. */
  security: {
    audit: (wanted: object) => ['security', OWN, 'audit', wanted] as const,
    events: (wanted: object) => ['security', OWN, 'events', wanted] as const,
    types: ['security', OWN, 'types'],
  },
  /** Runs of the image optimizer, and the pictures it could not make smaller. */
  images: {
    all: ['images', OWN],
    runs: ['images', OWN, 'runs'],
    failures: (looked: string) => ['images', OWN, 'failures', looked] as const,
  },
  competitions: {
    of: (id: string) => ['competitions', 'of', id] as const,
    table: (wanted: object) => ['competitions', OWN, 'table', wanted] as const,
    games: ['competitions', OWN, 'games'],
  },
  moderation: {
    all: ['moderation', OWN],
    cases: (wanted: object) => ['moderation', OWN, 'cases', wanted] as const,
    file: (id: string) => ['moderation', OWN, 'file', id] as const,
    reports: (wanted: object) => ['moderation', OWN, 'reports', wanted] as const,
    people: (wanted: object) => ['moderation', OWN, 'people', wanted] as const,
    bans: ['moderation', OWN, 'bans'],
    votes: (wanted: object) => ['moderation', OWN, 'votes', wanted] as const,
    ownDecisions: ['moderation', OWN, 'decisions'],
  },
  /** Of the whole site, as those who run it read them. */
  siteFigures: (from: string | null, until: string) => ['site-figures', OWN, from, until] as const,
  tagProposals: {
    own: (userId: string) => ['tag-proposals', OWN, userId] as const,
    all: ['tag-proposals', OWN],
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
  /** Below `keys.servers.all`, so that a change of a server renews them. */
  servers: {
    /** Everything a vote changes: not the months that are over, nor whether the server was up. */
    counted: [
      ['servers', 'list'],
      ['servers', 'podium'],
      ['servers', 'detail'],
      ['servers', 'stats'],
      ['servers', 'history'],
      ['servers', 'neighbours'],
      ['servers', 'place'],
      ['servers', 'outcomes'],
      ['servers', 'favorites'],
      ['servers', 'voted'],
      ['servers', OWN],
    ],
    months: (id: string) => ['servers', 'months', id] as const,
    outcomes: (id: string) => ['servers', 'outcomes', id] as const,
    ticketRule: (id: string) => ['servers', OWN, 'ticket-rule', id] as const,
    /** Below `keys.reviews.all`, since it tells of reviews without an answer. */
    figures: (id: string) => ['reviews', OWN, 'figures', id] as const,
    favorites: (ids: readonly string[]) => ['servers', 'favorites', ids] as const,
    /** Of a person, those that visitors see. */
    shown: (userId: string) => ['servers', OWN, userId, 'shown'] as const,
    /** How it was, day by day. */
    days: (id: string) => ['servers', 'days', id] as const,
    /** Whether it was up, and who played. */
    status: (id: string) => ['servers', 'status', id] as const,
    voted: (ids: readonly string[]) => ['servers', 'voted', ids] as const,
    /** Of all of one's own. */
    tokens: (userId: string) => ['servers', OWN, userId, 'tokens'] as const,
    voteApi: (userId: string, id: string) => ['servers', OWN, userId, 'vote-api', id] as const,
  },
} as const
