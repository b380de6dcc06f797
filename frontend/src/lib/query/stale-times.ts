/** How long an answer counts as fresh, in milliseconds, by how often what it tells changes. */
export const STALE_TIME = {
  /** Moves while somebody looks: votes, places, what its owner is editing. */
  moving: 10_000,
  /** Changes within minutes: lists, reviews, events. */
  recent: 30_000,
  /** Changes within the hour, or is costly to ask for. */
  steady: 60_000,
  /** Changes by the day: past months, tags, archives. */
  settled: 5 * 60_000,
  /** Changes by hand, a few times a year. */
  rare: 30 * 60_000,
  /** Is asked for once. */
  never: Number.POSITIVE_INFINITY,
} as const
