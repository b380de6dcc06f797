export const POSITIONS = ['1', '2', '3'] as const
export type Position = (typeof POSITIONS)[number]

export const STATUSES = ['pending', 'paid', 'active', 'suspended', 'ended', 'expired', 'cancelled'] as const
export type StatusName = (typeof STATUSES)[number]

export function positionOf(position: number): Position {
  return POSITIONS.find((known) => known === String(position)) ?? '1'
}

/** A status that is unknown here is shown as over. */
export function statusOf(status: string): StatusName {
  return STATUSES.find((known) => known === status) ?? 'ended'
}

/**
 * The columns, from 1, of some days within `count` days from `first` on; days outside are cut off.
 */
export function columnsOf(
  days: { from: string; to: string },
  first: string,
  count: number,
): { start: number; end: number } {
  const at = (day: string): number => Math.round((Date.parse(day) - Date.parse(first)) / 86_400_000)
  return { start: Math.max(0, at(days.from)) + 1, end: Math.min(count - 1, at(days.to)) + 2 }
}
