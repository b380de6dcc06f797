import { paymentStateOf, type PaymentState } from '@/components/checkout/payment-state'

/** Where a purchase stands: what its row says, unless its time to be paid is over, which is written down a little later. */
export type PaymentStatus = PaymentState | 'unsure'

export function paymentStatusOf(payment: { state: string; expires_at: string }, now: number): PaymentStatus {
  const state = paymentStateOf(payment.state)
  // The provider may still tell that it was paid in the last moment.
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

/** Why money goes back, of what the database knows. */
export function refundReasonOf(reason: string | null): (typeof REASONS)[keyof typeof REASONS] | null {
  return Object.entries(REASONS).find(([known]) => known === reason)?.[1] ?? null
}

const DAY = 86_400_000

/** Whether a purchase may still be withdrawn from; how much would go back is the database's to say. */
export function mayWithdraw(
  payment: { state: string; paid_at: string | null; amount_cents: number; refunded_cents: number },
  withdrawalDays: number,
  now: number,
): boolean {
  if (payment.state !== 'paid' || payment.paid_at === null) return false
  return payment.refunded_cents < payment.amount_cents && now < Date.parse(payment.paid_at) + withdrawalDays * DAY
}

const SPOTS = ['paid', 'active', 'suspended', 'ended'] as const

/** How a spot that was paid is shown, where that says more than that it is paid. */
export function spotStatusOf(
  spot: { status: string; end_date: string },
  /** The site's day, `yyyy-mm-dd`. */
  today: string,
): (typeof SPOTS)[number] | null {
  if (spot.end_date < today && spot.status !== 'cancelled') return 'ended'
  return SPOTS.find((status) => status === spot.status) ?? null
}
