/** What earned days were given to. */

interface SpentDay {
  used_at: string | null
  servers: { id: string; slug: string; name: string } | null
}

/** Days that went to one server at one time. */
export interface Spending {
  at: string
  /** As stored; null where it was deleted. */
  server: SpentDay['servers']
  days: number
}

/** Of rows in the order in which they were used. */
export function spendingsOf(rows: readonly SpentDay[]): Spending[] {
  const spendings: Spending[] = []
  for (const { used_at: at, servers: server } of rows) {
    const last = spendings.at(-1)
    if (last && last.at === at && last.server?.id === server?.id) last.days += 1
    else spendings.push({ at: at ?? '', server, days: 1 })
  }
  return spendings
}
