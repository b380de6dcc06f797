/** How long cached data counts as fresh, in milliseconds, by how often it changes. */
export const STALE_TIME = {
  /** Changes while it is shown: votes, places, a row that its owner is editing. */
  moving: 10_000,
  /** Changes within minutes: lists, reviews, events. */
  recent: 30_000,
  /** Changes within the hour, or is costly to query. */
  steady: 60_000,
  /** Changes by the day: past months, tags, archives. */
  settled: 5 * 60_000,
  /** Changes by hand, a few times a year. */
  rare: 30 * 60_000,
  /** Is queried once. */
  never: Number.POSITIVE_INFINITY,
} as const
