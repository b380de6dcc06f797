/** For dialogs that only people with an account may open. */
import { useEffect, useRef } from 'react'
import { openAuthDialog, useAuthDialog } from './auth-dialog'
import { useSession } from './session'

/**
 * Who the dialog is open for; null while nobody wants it, or while that somebody signs in, once more too. `giveUp` is
 * called when they do not after all.
 */
export function useWaitsForSignIn(isWanted: boolean, giveUp: () => void): { id: string } | null {
  const { user, status } = useSession()
  const isSigningIn = useAuthDialog() !== null
  // Who does not sign in after all has not asked: the dialog must not appear some other day.
  const isGivenUp = isWanted && status === 'out' && !isSigningIn
  const isOpen = isWanted && user !== null
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) wasOpen.current = true
    if (!isGivenUp) return
    // The session ended over what was being written: it waits behind the sign-in, which may be closed.
    if (wasOpen.current) openAuthDialog('signIn')
    else giveUp()
    wasOpen.current = false
  }, [isOpen, isGivenUp, giveUp])
  return isWanted ? user : null
}
