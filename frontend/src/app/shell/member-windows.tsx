/** Windows that only people with an account open; other visitors do not fetch them. */
import { closePrestigeDialog, usePrestigeDialog } from '@/entities/prestige/dialog'
import { closeServerAdminDialog, useServerAdminDialog } from '@/entities/server/admin-dialog'
import { lazyComponent } from '@/lib/browser/lazy'
import { FloatingWindow } from './floating-window'

const PrestigeDialogSlot = lazyComponent(async () => (await import('./prestige-dialog-slot')).PrestigeDialogSlot)
const ServerActHost = lazyComponent(
  async () => (await import('@/features/admin-servers/server-act-host')).ServerActHost,
)

export function MemberWindows() {
  const prestige = usePrestigeDialog()
  const serverAct = useServerAdminDialog()
  return (
    <>
      <FloatingWindow subject={prestige} onCrash={closePrestigeDialog}>
        <PrestigeDialogSlot />
      </FloatingWindow>
      <FloatingWindow subject={serverAct} onCrash={closeServerAdminDialog}>
        <ServerActHost />
      </FloatingWindow>
    </>
  )
}
