import { paymentStateOf, type PaymentState } from '@/components/checkout/payment-state'

/**
 * The state of a purchase: its row's state, except between the payment deadline and the moment when
 * the row is closed.
 */
export type PaymentStatus = PaymentState | 'unsure'

export function paymentStatusOf(payment: { state: string; expires_at: string }, now: number): PaymentStatus {
  const state = paymentStateOf(payment.state)
  // The provider may still report a payment from the last moment.
  return state === 'open' && Date.parse(payment.expires_at) <= now ? 'unsure' : state
}

const REASONS = {
  subject_gone: 'subjectGone',
  days_taken: 'daysTaken',
  amount_differs: 'amountDiffers',
  withdrawn: 'withdrawn',
  administrator: 'administrator',
  provider: 'provider',
} as const

/** The reason of a refund, if it is one of the database's known reasons. */
export function refundReasonOf(reason: string | null): (typeof REASONS)[keyof typeof REASONS] | null {
  return Object.entries(REASONS).find(([known]) => known === reason)?.[1] ?? null
}

const DAY = 86_400_000

/** Whether a purchase may still be withdrawn from; the database computes the refund. */
export function mayWithdraw(
  payment: { state: string; paid_at: string | null; amount_cents: number; refunded_cents: number },
  withdrawalDays: number,
  now: number,
): boolean {
  if (payment.state !== 'paid' || payment.paid_at === null) return false
  return payment.refunded_cents < payment.amount_cents && now < Date.parse(payment.paid_at) + withdrawalDays * DAY
}

const SPOTS = ['paid', 'active', 'suspended', 'ended'] as const

/** The state of display of a paid spot, where it says more than that the spot is paid. */
export function spotStatusOf(
  spot: { status: string; end_date: string },
  /** The site's day, `yyyy-mm-dd`. */
  today: string,
): (typeof SPOTS)[number] | null {
  if (spot.end_date < today && spot.status !== 'cancelled') return 'ended'
  return SPOTS.find((status) => status === spot.status) ?? null
}
