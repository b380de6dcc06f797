/** The pending reordering of a list in use, which the list offers to apply. */
import { createStore } from '@/lib/browser/store'

/** Applies the pending reordering; null if there is none. */
export const heldMove = createStore<(() => void) | null>(null)
