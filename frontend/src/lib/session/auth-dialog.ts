/** The state of the sign-in dialog: set by any code, read by the auth feature that draws it. */
import { createDialog } from '@/lib/browser/create-dialog'

export type AuthTab = 'signIn' | 'signUp' | 'reset'

/** A tab, or the second factor after the password. */
export type AuthView = AuthTab | 'secondStep'

/** Why the dialog opened by itself: the outcome of the link. */
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

/** The open view, or null while the dialog is closed. */
export function useAuthDialog(): AuthView | null {
  return dialog.useSubject()?.view ?? null
}

export function useAuthNotice(): AuthNotice | null {
  return dialog.useSubject()?.notice ?? null
}
