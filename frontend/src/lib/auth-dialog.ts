/** Which tab of the sign-in dialog is open: asked for by anyone, drawn by the auth feature. */
import { createStore, useStore } from './store'

export type AuthTab = 'sign-in' | 'sign-up' | 'reset'

const open = createStore<AuthTab | null>(null)

export function openAuthDialog(tab: AuthTab): void {
  open.set(tab)
}

export function closeAuthDialog(): void {
  open.set(null)
}

/** The open tab, or null while the dialog is closed. */
export function useAuthDialog(): AuthTab | null {
  return useStore(open)
}
