/** Whether somebody is proposing a tag: asked for where tags are shown and chosen, drawn by the feature. */
import { useCallback } from 'react'
import { openAuthDialog } from './auth-dialog'
import { useSession } from './session'
import { createStore, useStore } from './store'

const wanted = createStore(false)

/** Opens the dialog; whoever is signed out is asked to sign in first, and proposes then. */
export function useAskForTag(): () => void {
  const { status } = useSession()
  return useCallback(() => {
    wanted.set(true)
    if (status === 'out') openAuthDialog('signIn')
  }, [status])
}

export function closeTagProposal(): void {
  wanted.set(false)
}

export function useTagProposal(): boolean {
  return useStore(wanted)
}
