/** How a server stands with visitors, and until when it is promoted. */

interface Shown {
  is_hidden: boolean
  is_approved: boolean
  hidden_reason: string | null
}

export type Visibility = 'visible' | 'hidden' | 'waiting' | 'moderated' | 'lapsed' | 'closed'

/** Owners undo what they did themselves, and what ended once there is room again. */
export function visibilityOf({ is_hidden, is_approved, hidden_reason }: Shown): Visibility {
  if (!is_hidden) return is_approved ? 'visible' : 'waiting'
  if (hidden_reason === 'moderation') return 'moderated'
  if (hidden_reason === 'game_closed') return 'closed'
  return hidden_reason === 'bonus_expired' ? 'lapsed' : 'hidden'
}

export function mayShow(visibility: Visibility): boolean {
  return visibility === 'hidden' || visibility === 'lapsed'
}

interface Promoted {
  is_sponsored: boolean
  prestige_expires_at: string | null
}

/** The moment Prestige ends; null while there is none. */
export function prestigeEnd({ is_sponsored, prestige_expires_at }: Promoted, now: number): string | null {
  return is_sponsored && prestige_expires_at !== null && Date.parse(prestige_expires_at) > now
    ? prestige_expires_at
    : null
}

/** Whether Prestige runs at the moment this is asked. */
export function isPromoted(server: Promoted): boolean {
  return prestigeEnd(server, Date.now()) !== null
}
