/**
 * Cache keys for servers. `own` is what one person has or may see; a change of a server invalidates
 * `all`.
 */
import { OWN } from '@/lib/query/own-rows'

export const serverKeys = {
  all: ['servers'],
  list: (request: object) => ['servers', 'list', request] as const,
  podium: (games: readonly string[]) => ['servers', 'podium', games] as const,
  search: (text: string, language: string) => ['servers', 'search', language, text] as const,
  details: ['servers', 'detail'],
  detail: (by: 'slug' | 'id', value: string) => ['servers', 'detail', by, value] as const,
  stats: (id: string) => ['servers', 'stats', id] as const,
  history: (id: string) => ['servers', 'history', id] as const,
  neighbours: (id: string) => ['servers', 'neighbours', id] as const,
  months: (id: string) => ['servers', 'months', id] as const,
  outcomes: (id: string) => ['servers', 'outcomes', id] as const,
  favorites: (ids: readonly string[]) => ['servers', 'favorites', ids] as const,
  /** The servers that were voted for from this browser. */
  voted: (ids: readonly string[]) => ['servers', 'voted', ids] as const,
  place: (id: string) => ['servers', 'place', id] as const,
  /** The uptime and the player counts. */
  status: (id: string) => ['servers', 'status', id] as const,
  /** The status that a game server reports; no mutation changes it. */
  steamStatus: (id: string) => ['server-status', id] as const,
  moved: (slug: string, viewer: string | null) => ['servers', 'moved', slug, viewer] as const,
  /** A server that is hidden from visitors, for the people who may see it. */
  hidden: (userId: string, by: 'slug' | 'id', value: string) => ['servers', OWN, userId, by, value] as const,
  own: (userId: string) => ['servers', OWN, userId] as const,
  /** A server as its owner edits it. */
  edited: (userId: string, id: string) => ['servers', OWN, userId, 'edited', id] as const,
  slots: (userId: string) => ['servers', OWN, userId, 'slots'] as const,
  /** The tokens of all servers of one owner. */
  tokens: (userId: string) => ['servers', OWN, userId, 'tokens'] as const,
  voteApi: (userId: string, id: string) => ['servers', OWN, userId, 'vote-api', id] as const,
  ticketRule: (id: string) => ['servers', OWN, 'ticket-rule', id] as const,
  /** The end of a server's Prestige. */
  prestigeUntil: (id: string) => ['servers', OWN, 'until', id] as const,
  /** Servers of everybody, for administrators. */
  table: (request: object) => ['servers', OWN, 'table', request] as const,
  /** Everything that a vote changes: neither past months nor the uptime. */
  counted: [
    'list',
    'podium',
    'detail',
    'stats',
    'history',
    'neighbours',
    'place',
    'outcomes',
    'favorites',
    'voted',
    OWN,
  ].map((part) => ['servers', part]),
} as const
