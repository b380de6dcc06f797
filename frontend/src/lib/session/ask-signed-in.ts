import { useCallback } from 'react'
import { openAuthDialog } from './auth-dialog'
import { useSession } from './session'

/** Opens a dialog; a guest signs in first, and finds it open afterwards. */
export function useAskSignedIn<Subject>(open: (subject: Subject) => void): (subject: Subject) => void {
  const { status } = useSession()
  return useCallback(
    (subject) => {
      open(subject)
      if (status === 'out') openAuthDialog('signIn')
    },
    [open, status],
  )
}
