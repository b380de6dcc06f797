export const POSITIONS = ['1', '2', '3'] as const
export type Position = (typeof POSITIONS)[number]

export const STATUSES = ['pending', 'paid', 'active', 'suspended', 'ended', 'expired', 'cancelled'] as const
export type StatusName = (typeof STATUSES)[number]

export function positionOf(position: number): Position {
  return POSITIONS.find((known) => known === String(position)) ?? '1'
}

/** A status of a later release is shown as one that is over. */
export function statusOf(status: string): StatusName {
  return STATUSES.find((known) => known === status) ?? 'ended'
}

/** Where days lie in a span of `count` days from `first` on, in columns from 1; what lies outside is cut off. */
export function columnsOf(
  days: { from: string; to: string },
  first: string,
  count: number,
): { start: number; end: number } {
  const at = (day: string): number => Math.round((Date.parse(day) - Date.parse(first)) / 86_400_000)
  return { start: Math.max(0, at(days.from)) + 1, end: Math.min(count - 1, at(days.to)) + 2 }
}
