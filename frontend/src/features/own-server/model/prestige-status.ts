/** The end of a server's Prestige. */

interface PrestigeColumns {
  is_sponsored: boolean
  prestige_expires_at: string | null
}

/** When Prestige ends; null if there is none. */
export function prestigeEnd({ is_sponsored, prestige_expires_at }: PrestigeColumns, now: number): string | null {
  return is_sponsored && prestige_expires_at !== null && Date.parse(prestige_expires_at) > now
    ? prestige_expires_at
    : null
}

/** Whether Prestige is running now. */
export function isPromoted(server: PrestigeColumns): boolean {
  return prestigeEnd(server, Date.now()) !== null
}
