/** What the sign-in dialog shows: asked for by anyone, drawn by the auth feature. */
import { createStore, useStore } from './store'

export type AuthTab = 'signIn' | 'signUp' | 'reset'

/** A tab, or the step that follows a password where the account has a second factor. */
export type AuthView = AuthTab | 'secondStep'

const open = createStore<AuthView | null>(null)

export function openAuthDialog(view: AuthView): void {
  open.set(view)
}

export function closeAuthDialog(): void {
  open.set(null)
}

/** What is open, or null while the dialog is closed. */
export function useAuthDialog(): AuthView | null {
  return useStore(open)
}
