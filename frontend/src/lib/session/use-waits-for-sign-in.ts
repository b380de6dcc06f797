/** For dialogs that require an account. */
import { useEffect, useRef } from 'react'
import { openAuthDialog, useAuthDialog } from './auth-dialog'
import { useSession } from './session'

/**
 * The person for whom the dialog is open; null while it is closed or while the person signs in
 * (again). `giveUp` is called when they do not.
 */
export function useWaitsForSignIn(isWanted: boolean, giveUp: () => void): { id: string } | null {
  const { user, status } = useSession()
  const isSigningIn = useAuthDialog() !== null
  // If the sign-in is abandoned, the dialog must not appear later.
  const isGivenUp = isWanted && status === 'out' && !isSigningIn
  const isOpen = isWanted && user !== null
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) wasOpen.current = true
    if (!isGivenUp) return
    // The session ended while the dialog was open: the dialog waits behind the sign-in, which may
    // be closed.
    if (wasOpen.current) openAuthDialog('signIn')
    else giveUp()
    wasOpen.current = false
  }, [isOpen, isGivenUp, giveUp])
  return isWanted ? user : null
}
