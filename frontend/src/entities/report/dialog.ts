/**
 * What is being reported: set by cards, server pages and reviews, read by the report feature that
 * draws the dialog.
 */
import { useAskSignedIn } from '@/lib/session/ask-signed-in'
import { createDialog } from '@/lib/browser/create-dialog'

export interface ReportTarget {
  kind: 'server' | 'review'
  id: string
  /** The displayed name. */
  name: string
}

const dialog = createDialog<ReportTarget>()

export const { close: closeReportDialog, useSubject: useReportDialog } = dialog

export const useAskToReport = () => useAskSignedIn(dialog.open)
