/**
 * The connection problem that currently affects the whole page, for the notice that shows it.
 * Knows no wording, and works before the first render.
 */

import { createStore } from './store'

/** `waiting`: a text or a part failed to load and is retried. `release`: only a reload helps. */
export type ConnectionStatus = 'waiting' | 'release'

export const trouble = createStore<ConnectionStatus | null>(null)

let waiting = 0
const sleepers = new Set<() => void>()

/** Reports that only a reload helps: the page belongs to an earlier release, for instance. */
export function announceRelease(): void {
  trouble.set('release')
}

/** Ends every retry delay at once: the user asks to try again, or the connection is back. */
export function wake(): void {
  for (const rise of sleepers) rise()
}

const FIRST_PAUSE = 400
const LONGEST_PAUSE = 15_000
/** Number of failures that show no notice. */
const QUIET_FAILURES = 1

/**
 * Retries with growing delays until it succeeds, and sets the status meanwhile. The promise never
 * rejects, so that no text stays a translation key and no part of the page stays blank.
 *
 * @param failed called after each failure with the number of failures so far
 */
export async function retryForever<T>(
  load: () => Promise<T>,
  failed?: (failures: number) => Promise<void>,
): Promise<T> {
  let failures = 0
  let isCounted = false
  for (;;) {
    try {
      const loaded = await load()
      if (isCounted) count(-1)
      return loaded
    } catch {
      failures += 1
      if (!isCounted && failures > QUIET_FAILURES) {
        isCounted = true
        count(1)
      }
      await failed?.(failures)
      await pause(Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE))
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const rise = () => {
      clearTimeout(timer)
      sleepers.delete(rise)
      resolve()
    }
    const timer = setTimeout(rise, milliseconds)
    sleepers.add(rise)
  })
}

function count(change: 1 | -1): void {
  waiting += change
  // The status `release` stays until the page is reloaded.
  if (trouble.get() !== 'release') trouble.set(waiting > 0 ? 'waiting' : null)
}

window.addEventListener('online', wake)
