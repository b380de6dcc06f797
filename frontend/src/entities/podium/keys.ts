/** Cache keys for rankings of past months. */
export const podiumKeys = {
  all: ['podiums'],
  months: ['podiums', 'months'],
  month: (month: string) => ['podiums', 'month', month] as const,
  game: (slug: string) => ['podiums', 'game', slug] as const,
  ofServer: (id: string) => ['podiums', 'server', id] as const,
  places: (month: string, game: string | null, page: number) => ['podiums', 'places', month, game, page] as const,
} as const
