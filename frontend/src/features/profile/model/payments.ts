/** A checkout is open for a day at most; what was not paid by then never will be. */
const OPEN = 86_400_000

/** Where a payment stands: what its row says, or `abandoned`, which nobody writes down. */
export function standingOfPayment(
  { status, created_at: begun }: { status: string; created_at: string },
  now: number,
): string {
  return status === 'pending' && now - Date.parse(begun) > OPEN ? 'abandoned' : status
}
