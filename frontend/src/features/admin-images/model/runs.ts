/** Totals of the figures of a run. */

export interface Run {
  id: string
  retries_failed: boolean
  total: number
  optimized: number
  skipped: number
  failed: number
  bytes_before: number
  bytes_after: number
  is_stopped: boolean
  started_at: string
  finished_at: string | null
}

export const isRunning = (run: Run | undefined): run is Run => run?.finished_at === null

/** The number of images that a run has processed. */
export const doneOf = (run: Run): number => run.optimized + run.skipped + run.failed

/** The saved bytes, and their share of the original size. */
export function savedBy(runs: readonly Run[]): { bytes: number; share: number } {
  const before = runs.reduce((sum, run) => sum + run.bytes_before, 0)
  const bytes = before - runs.reduce((sum, run) => sum + run.bytes_after, 0)
  return { bytes, share: before === 0 ? 0 : bytes / before }
}

/** The text for each reason of a failure in the database. */
export const REASONS = {
  broken: 'broken',
  too_large: 'tooLarge',
  timed_out: 'timedOut',
  unread: 'unread',
  unwritten: 'unwritten',
  renderer_off: 'rendererOff',
  gave_up: 'gaveUp',
} as const

export function reasonOf(reason: string | null): (typeof REASONS)[keyof typeof REASONS] {
  return Object.entries(REASONS).find(([known]) => known === reason)?.[1] ?? 'unread'
}

/** The URL of an image of the bucket. */
export const addressOf = (name: string): string =>
  `/storage/v1/object/public/server-images/${name.split('/').map(encodeURIComponent).join('/')}`
