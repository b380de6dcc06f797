/** Everything about one server hangs below its id, so that a vote or a review renews just that. */
export const serverKeys = {
  detail: (by: 'slug' | 'id', value: string) => ['servers', 'detail', by, value] as const,
  stats: (id: string) => ['servers', 'stats', id] as const,
  history: (id: string) => ['servers', 'history', id] as const,
  status: (id: string) => ['server-status', id] as const,
  events: (id: string) => ['server-events', 'detail', id] as const,
  tags: (names: readonly string[]) => ['server-tags', 'named', names] as const,
  reviews: (id: string, viewer: string | null) => ['reviews', id, viewer] as const,
}
