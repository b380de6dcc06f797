/** Which server Prestige is being bought for: asked for wherever owners see theirs, drawn by the feature. */
import { createDialog } from '@/lib/browser/create-dialog'

export interface PrestigeTarget {
  id: string
  /** As it is shown. */
  name: string
}

export const {
  open: openPrestigeDialog,
  close: closePrestigeDialog,
  useSubject: usePrestigeDialog,
} = createDialog<PrestigeTarget>()
