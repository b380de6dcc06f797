/** Until when a server is promoted. */

interface PrestigeColumns {
  is_sponsored: boolean
  prestige_expires_at: string | null
}

/** The moment Prestige ends; null while there is none. */
export function prestigeEnd({ is_sponsored, prestige_expires_at }: PrestigeColumns, now: number): string | null {
  return is_sponsored && prestige_expires_at !== null && Date.parse(prestige_expires_at) > now
    ? prestige_expires_at
    : null
}

/** Whether Prestige runs at the moment this is asked. */
export function isPromoted(server: PrestigeColumns): boolean {
  return prestigeEnd(server, Date.now()) !== null
}
