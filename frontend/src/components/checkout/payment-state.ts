/**
 * The states of a payment: the provider may notify the site some seconds after it sent the browser
 * back.
 */
const STATES = {
  open: 'open',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  to_refund: 'toRefund',
  refunded: 'refunded',
} as const

export type PaymentState = (typeof STATES)[keyof typeof STATES]

/** Maps the database's state to ours; a state that is unknown here counts as open. */
export function paymentStateOf(word: string): PaymentState {
  return Object.entries(STATES).find(([known]) => known === word)?.[1] ?? 'open'
}
