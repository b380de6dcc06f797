/** The current toast, and functions to show one from anywhere. A newer toast replaces the older. */

export interface ToastMessage {
  title: string
  description?: string | undefined
  tone?: 'plain' | 'success' | 'danger'
  /** Milliseconds until it disappears; 5000 by default. */
  duration?: number
  /** An action on the toast, such as undo. */
  action?: { label: string; onSelect: () => void }
}

export interface ShownToast extends ToastMessage {
  id: number
  open: boolean
}

let current: ShownToast | null = null
let nextId = 1
const listeners = new Set<() => void>()

export function showToast(message: ToastMessage): void {
  set({ ...message, id: nextId++, open: true })
}

export function dismissToast(): void {
  if (current) set({ ...current, open: false })
}

export function currentToast(): ShownToast | null {
  return current
}

export function subscribeToToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: ShownToast): void {
  current = next
  for (const listener of listeners) listener()
}
