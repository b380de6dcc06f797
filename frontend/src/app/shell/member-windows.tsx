/** Windows that only people with an account open; fetched for nobody else. */
import { lazyNamed } from '@/lib/lazy'
import { closePrestigeDialog, usePrestigeDialog } from '@/lib/prestige-dialog'
import { closeServerAct, useServerAct } from '@/lib/server-act'
import { FloatingWindow } from './floating-window'

const PrestigeDialogSlot = lazyNamed(async () => (await import('./prestige-dialog-slot')).PrestigeDialogSlot)
const ServerActHost = lazyNamed(async () => (await import('@/features/admin-servers/server-act-host')).ServerActHost)

export function MemberWindows() {
  const prestige = usePrestigeDialog()
  const serverAct = useServerAct()
  return (
    <>
      <FloatingWindow subject={prestige} onCrash={closePrestigeDialog}>
        <PrestigeDialogSlot />
      </FloatingWindow>
      <FloatingWindow subject={serverAct} onCrash={closeServerAct}>
        <ServerActHost />
      </FloatingWindow>
    </>
  )
}
