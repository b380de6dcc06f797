/** Where a booking stands: what its row says, unless its last day is past, which no job writes down. */
export function standingOf(
  { status, end_date: last }: { status: string; end_date: string },
  /** The site's day, `yyyy-mm-dd`. */
  today: string,
): string {
  const ran = status === 'active' || status === 'paid' || status === 'suspended'
  return ran && last < today ? 'expired' : status
}
