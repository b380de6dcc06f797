const NEVER_PAID = ['pending', 'failed']

/** Where a booking stands: what its row says, unless its last day is past, which no job writes down, or its payment says more. */
export function standingOf(
  { status, end_date: last, payment }: { status: string; end_date: string; payment: string },
  /** The site's day, `yyyy-mm-dd`. */
  today: string,
): string {
  if (payment === 'refunded') return 'refunded'
  if (status === 'expired' && NEVER_PAID.includes(payment)) return 'unpaid'
  const ran = status === 'active' || status === 'paid' || status === 'suspended'
  return ran && last < today ? 'expired' : status
}
