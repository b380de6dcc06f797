/**
 * Whether somebody is proposing a tag: set where tags are shown and chosen, read by the feature
 * that draws the dialog.
 */
import { useAskSignedIn } from '@/lib/session/ask-signed-in'
import { createDialog } from '@/lib/browser/create-dialog'

const dialog = createDialog<true>()

export const closeTagProposal = dialog.close

/** Opens the dialog; a guest signs in first. */
export function useAskForTag(): () => void {
  const ask = useAskSignedIn(dialog.open)
  return () => ask(true)
}

export const useTagProposal = (): boolean => dialog.useSubject() !== null
