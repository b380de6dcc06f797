export const STATES = ['open', 'paid', 'failed', 'expired', 'to_refund', 'refunded'] as const
export type StateName = (typeof STATES)[number]

/** The key of its text. */
export const WORDS = {
  open: 'open',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  to_refund: 'toRefund',
  refunded: 'refunded',
} as const satisfies Record<StateName, string>

/** The state of the row; a state that is unknown here is shown as pending. */
export function standingOf(state: string): StateName {
  return STATES.find((known) => known === state) ?? 'open'
}
