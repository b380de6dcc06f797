/** What the sign-in dialog shows: asked for by anyone, drawn by the auth feature. */
import { createDialog } from '@/lib/browser/create-dialog'

export type AuthTab = 'signIn' | 'signUp' | 'reset'

/** A tab, or the step that follows a password where the account has a second factor. */
export type AuthView = AuthTab | 'secondStep'

/** Why the dialog opened by itself: what became of the link that led here. */
export type AuthNotice = 'confirmed' | 'spent' | 'banned' | 'failed'

interface DialogSubject {
  view: AuthView
  notice: AuthNotice | null
}

const dialog = createDialog<DialogSubject>()

export const closeAuthDialog = dialog.close

export function openAuthDialog(view: AuthView, notice: AuthNotice | null = null): void {
  dialog.open({ view, notice })
}

/** What is open, or null while the dialog is closed. */
export function useAuthDialog(): AuthView | null {
  return dialog.useSubject()?.view ?? null
}

export function useAuthNotice(): AuthNotice | null {
  return dialog.useSubject()?.notice ?? null
}
