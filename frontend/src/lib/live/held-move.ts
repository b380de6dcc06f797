/**
 * What would move in a list while somebody is in it waits, and whoever draws the list offers to show it.
 */
import { createStore } from '@/lib/browser/store'

/** Shows what waits; null when nothing does. */
export const heldMove = createStore<(() => void) | null>(null)
