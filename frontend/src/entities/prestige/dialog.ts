/**
 * The server for which Prestige is being bought: set on pages of owners, read by the feature that
 * draws the dialog.
 */
import { createDialog } from '@/lib/browser/create-dialog'

export interface PrestigeTarget {
  id: string
  /** The displayed name. */
  name: string
}

export const {
  open: openPrestigeDialog,
  close: closePrestigeDialog,
  useSubject: usePrestigeDialog,
} = createDialog<PrestigeTarget>()
