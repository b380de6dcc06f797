/** What the sign-in dialog shows: asked for by anyone, drawn by the auth feature. */
import { createStore, useStore } from './store'

export type AuthTab = 'signIn' | 'signUp' | 'reset'

/** A tab, or the step that follows a password where the account has a second factor. */
export type AuthView = AuthTab | 'secondStep'

/** Why the dialog opened by itself: what became of the link that led here. */
export type AuthNotice = 'confirmed' | 'spent' | 'banned' | 'failed'

interface Opened {
  view: AuthView
  notice: AuthNotice | null
}

const open = createStore<Opened | null>(null)

export function openAuthDialog(view: AuthView, notice: AuthNotice | null = null): void {
  open.set({ view, notice })
}

export function closeAuthDialog(): void {
  open.set(null)
}

/** What is open, or null while the dialog is closed. */
export function useAuthDialog(): AuthView | null {
  return useStore(open)?.view ?? null
}

export function useAuthNotice(): AuthNotice | null {
  return useStore(open)?.notice ?? null
}
