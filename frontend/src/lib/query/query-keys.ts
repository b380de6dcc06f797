/**
 * What the cache holds, by entity: every key is made here and nowhere else (held by the walls check), so that whoever
 * changes rows can name all that shows them. The first word is the entity; `all` names everything about it.
 * Rows that depend on who asks carry `own` and are forgotten when that person leaves.
 */
export const OWN = 'own'

export const keys = {
  servers: {
    all: ['servers'],
    list: (wanted: object) => ['servers', 'list', wanted] as const,
    podium: (games: readonly string[]) => ['servers', 'podium', games] as const,
    search: (text: string, language: string) => ['servers', 'search', language, text] as const,
    details: ['servers', 'detail'],
    detail: (by: 'slug' | 'id', value: string) => ['servers', 'detail', by, value] as const,
    stats: (id: string) => ['servers', 'stats', id] as const,
    history: (id: string) => ['servers', 'history', id] as const,
    neighbours: (id: string) => ['servers', 'neighbours', id] as const,
    own: (userId: string) => ['servers', OWN, userId] as const,
    /** One as its owner edits it. */
    edited: (userId: string, id: string) => ['servers', OWN, userId, 'edited', id] as const,
    place: (id: string) => ['servers', 'place', id] as const,
    slots: (userId: string) => ['servers', OWN, userId, 'slots'] as const,
    moved: (slug: string, viewer: string | null) => ['servers', 'moved', slug, viewer] as const,
    /** One that visitors do not see, as whoever may see it is shown it. */
    hidden: (userId: string, by: 'slug' | 'id', value: string) => ['servers', OWN, userId, by, value] as const,
  },
  /** What a game server says of itself; nothing that happens here changes it. */
  serverStatus: {
    of: (serverId: string) => ['server-status', serverId] as const,
  },
  games: {
    all: ['games'],
    /** Pages of the catalogue, as a table asks for them. */
    table: (wanted: object) => ['games', 'table', wanted] as const,
  },
  podiums: {
    all: ['podiums'],
    months: ['podiums', 'months'],
    month: (month: string) => ['podiums', 'month', month] as const,
    game: (slug: string) => ['podiums', 'game', slug] as const,
    ofServer: (id: string) => ['podiums', 'server', id] as const,
  },
  tags: {
    all: ['tags'],
    list: ['tags', 'list'],
    named: (names: readonly string[]) => ['tags', 'named', names] as const,
  },
  events: {
    all: ['events'],
    ofServers: (ids: readonly string[]) => ['events', 'servers', ids] as const,
    ofServer: (id: string) => ['events', 'server', id] as const,
  },
  competitions: {
    all: ['competitions'],
    announced: ['competitions', 'announced'],
  },
  reviews: {
    all: ['reviews'],
    /** The viewer's session alone knows which one is theirs. */
    ofServer: (id: string, viewer: string | null) => ['reviews', 'server', id, viewer] as const,
    own: (userId: string) => ['reviews', OWN, userId] as const,
    ownOf: (userId: string, serverId: string) => ['reviews', OWN, userId, serverId] as const,
  },
  votes: {
    own: ['votes', OWN],
    arrival: (voteId: string) => ['votes', 'arrival', voteId] as const,
  },
  passDays: {
    all: ['pass-days'],
    own: (userId: string) => ['pass-days', OWN, userId] as const,
  },
  arcadeSpots: {
    all: ['arcade-spots'],
    shown: ['arcade-spots', 'shown'],
  },
  /** What waits for a decision of those who run the site. */
  waiting: { own: ['waiting', OWN] },
  payments: {
    all: ['payments'],
    own: (userId: string) => ['payments', OWN, userId] as const,
  },
  warnings: {
    all: ['warnings'],
    own: (userId: string) => ['warnings', OWN, userId] as const,
  },
  profile: {
    all: ['profile'],
    session: (userId: string | null) => ['profile', OWN, userId, 'session'] as const,
    details: (userId: string) => ['profile', OWN, userId, 'details'] as const,
  },
  /** The account as the auth service knows it. */
  account: {
    all: ['account', OWN],
    user: ['account', OWN, 'user'],
    sessions: ['account', OWN, 'sessions'],
    passkeys: ['account', OWN, 'passkeys'],
    factors: ['account', OWN, 'factors'],
    totpSetup: ['account', OWN, 'totp-setup'],
  },
  settings: { all: ['settings'], registration: ['settings', 'registration'] },
  authSettings: { all: ['auth-settings'] },
  stats: { all: ['stats'] },
} as const

/** Whether what stands under a key depends on who asked. */
export function isOwn({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey.includes(OWN)
}
