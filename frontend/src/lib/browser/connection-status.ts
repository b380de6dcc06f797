/**
 * What stands in the way of the whole page just now, for the notice that says so. Knows no wording, and works before
 * anything is drawn.
 */

import { createStore } from './store'

/** `waiting`: a text or a part does not come and is asked for again and again. `release`: only a reload helps. */
export type ConnectionStatus = 'waiting' | 'release'

export const trouble = createStore<ConnectionStatus | null>(null)

let waiting = 0
const sleepers = new Set<() => void>()

/** This page belongs to an earlier release, or cannot be completed for another reason that a reload cures. */
export function announceRelease(): void {
  trouble.set('release')
}

/** Ends every pause at once: somebody asks to try again, or the connection is back. */
export function wake(): void {
  for (const rise of sleepers) rise()
}

const FIRST_PAUSE = 400
const LONGEST_PAUSE = 15_000
/** One failure is nothing to speak of; from the second on it is said. */
const QUIET_FAILURES = 1

/**
 * Tries until it works, with growing pauses, and says so while it does not. What waits for it goes on by itself: a
 * promise that is never refused is the reason why no text stays a key and no part stays blank.
 *
 * @param failed told after each failure, with how many there were
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
  // What needs a reload stays so.
  if (trouble.get() !== 'release') trouble.set(waiting > 0 ? 'waiting' : null)
}

window.addEventListener('online', wake)
