/** How a payment may stand: the provider may tell the site some seconds after it sent the browser back. */
const STATES = {
  open: 'open',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  to_refund: 'toRefund',
  refunded: 'refunded',
} as const

export type PaymentState = (typeof STATES)[keyof typeof STATES]

/** The database's word for it in ours; one it may learn later is not decided yet. */
export function paymentStateOf(word: string): PaymentState {
  return Object.entries(STATES).find(([known]) => known === word)?.[1] ?? 'open'
}
