export const STATES = ['open', 'paid', 'failed', 'expired', 'to_refund', 'refunded'] as const
export type StateName = (typeof STATES)[number]

/** Its key among the texts. */
export const WORDS = {
  open: 'open',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  to_refund: 'toRefund',
  refunded: 'refunded',
} as const satisfies Record<StateName, string>

/** What the row says; a state of a later release is shown as one that waits. */
export function standingOf(state: string): StateName {
  return STATES.find((known) => known === state) ?? 'open'
}
