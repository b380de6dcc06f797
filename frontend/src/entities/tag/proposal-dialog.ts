/** Whether somebody is proposing a tag: asked for where tags are shown and chosen, drawn by the feature. */
import { useAskSignedIn } from '@/lib/session/ask-signed-in'
import { createDialog } from '@/lib/browser/create-dialog'

const dialog = createDialog<true>()

export const closeTagProposal = dialog.close

/** Opens the dialog; whoever is signed out is asked to sign in first, and proposes then. */
export function useAskForTag(): () => void {
  const ask = useAskSignedIn(dialog.open)
  return () => ask(true)
}

export const useTagProposal = (): boolean => dialog.useSubject() !== null
