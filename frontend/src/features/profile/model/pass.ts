/** The uses of earned days. */

interface SpentDay {
  used_at: string | null
  servers: { id: string; slug: string; name: string } | null
}

/** Days that went to one server at one time. */
export interface Spending {
  at: string
  /** The stored name; null if the server was deleted. */
  server: SpentDay['servers']
  days: number
}

/** Groups rows, which are sorted by the time of their use. */
export function spendingsOf(rows: readonly SpentDay[]): Spending[] {
  const spendings: Spending[] = []
  for (const { used_at: at, servers: server } of rows) {
    const last = spendings.at(-1)
    if (last && last.at === at && last.server?.id === server?.id) last.days += 1
    else spendings.push({ at: at ?? '', server, days: 1 })
  }
  return spendings
}
