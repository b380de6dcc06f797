/** Which spot is shown at which of the three positions, and whether it can be opened. */

export const POSITIONS = [1, 2, 3] as const
export type Position = (typeof POSITIONS)[number]

export interface ArcadeSpot {
  id: string
  position: number
  /** First and last day, `yyyy-MM-dd`, both included. */
  start_date: string
  end_date: string
  image_url: string
  website_url: string | null
  status: string
  /** Votes are null where the server's place is hidden from visitors. */
  servers: { name: string; monthly_votes: number | null; games: { name: string } } | null
}

export type SpotState = 'live' | 'reserved' | 'suspended'

/**
 * The spot at a position: the one running today, else the next. Spots are sorted by their start.
 */
export function spotAt(spots: readonly ArcadeSpot[], position: Position, today: string): ArcadeSpot | undefined {
  const here = spots.filter((spot) => spot.position === position && spot.end_date >= today)
  return here.find((spot) => spot.start_date <= today) ?? here[0]
}

/** A paid spot can be opened from its first day on; a suspended one is shown without a link. */
export function spotState(spot: ArcadeSpot, today: string): SpotState {
  if (spot.status === 'suspended') return 'suspended'
  return spot.status === 'active' || spot.start_date <= today ? 'live' : 'reserved'
}

/** The website of a spot, if its address is safe to open. */
export function websiteOf(spot: ArcadeSpot): string | null {
  return spot.website_url && /^https?:\/\//i.test(spot.website_url) ? spot.website_url : null
}
