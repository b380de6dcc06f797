/**
 * Which tab of the sign-in dialog is open, for anyone to open and the auth feature to draw. A tiny
 * store, so that the page can ask for the dialog before its code is loaded.
 */
import { useSyncExternalStore } from 'react'

export type AuthTab = 'sign-in' | 'sign-up' | 'reset'

let open: AuthTab | null = null
const listeners = new Set<() => void>()

function set(tab: AuthTab | null): void {
  open = tab
  for (const listener of listeners) listener()
}

export function openAuthDialog(tab: AuthTab): void {
  set(tab)
}

export function closeAuthDialog(): void {
  set(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The open tab, or null while the dialog is closed. */
export function useAuthDialog(): AuthTab | null {
  return useSyncExternalStore(subscribe, () => open)
}
