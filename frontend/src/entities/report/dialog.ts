/** What is being reported: asked for by cards, server pages and reviews, drawn by the report feature. */
import { useAskSignedIn } from '@/lib/session/ask-signed-in'
import { createDialog } from '@/lib/browser/create-dialog'

export interface ReportTarget {
  kind: 'server' | 'review'
  id: string
  /** As it is shown. */
  name: string
}

const dialog = createDialog<ReportTarget>()

export const { close: closeReportDialog, useSubject: useReportDialog } = dialog

export const useAskToReport = () => useAskSignedIn(dialog.open)
