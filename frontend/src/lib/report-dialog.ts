/** What is being reported: asked for by cards, server pages and reviews, drawn by the report feature. */
import { useCallback } from 'react'
import { openAuthDialog } from './auth-dialog'
import { useSession } from './session'
import { createStore, useStore } from './store'

export interface ReportTarget {
  kind: 'server' | 'review'
  id: string
  /** As it is shown. */
  name: string
}

const target = createStore<ReportTarget | null>(null)

/** Opens the dialog; whoever is signed out is asked to sign in first, and reports then. */
export function useAskToReport(): (what: ReportTarget) => void {
  const { status } = useSession()
  return useCallback(
    (what) => {
      target.set(what)
      if (status === 'out') openAuthDialog('signIn')
    },
    [status],
  )
}

export function closeReportDialog(): void {
  target.set(null)
}

export function useReportDialog(): ReportTarget | null {
  return useStore(target)
}
