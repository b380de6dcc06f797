/**
 * The dialog for an administrator's action on a server; the app mounts it with the first action.
 */
import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { closeServerAdminDialog, useServerAdminDialog, type AdministeredServer } from '@/entities/server/admin-dialog'
import { deleteServerMutation } from '@/entities/server/delete'
import { useTranslation } from '@/lib/i18n/i18n'
import { deactivatePrestigeMutation } from './api/prestige'
import { OwnerDialog } from './components/owner-dialog'
import { PrestigeDialog } from './components/prestige-dialog'
import { ReasonDialog } from './components/reason-dialog'

export function ServerActHost() {
  const dialog = useServerAdminDialog()
  if (dialog === null) return null
  const { act, server } = dialog
  if (act === 'refuse' || act === 'suspend') return <ReasonDialog server={server} decision={act} />
  if (act === 'prestige') return <PrestigeDialog server={server} />
  if (act === 'owner') return <OwnerDialog server={server} />
  return <Confirmation act={act} server={server} />
}

/** Asks for confirmation before an irreversible action. */
function Confirmation({ act, server }: { act: 'delete' | 'endPrestige'; server: AdministeredServer }) {
  const { t } = useTranslation('admin-servers')
  const drop = useMutation(
    deleteServerMutation({ done: 'admin-servers:done.delete', failed: 'admin-servers:notDeleted' }),
  )
  const end = useMutation(deactivatePrestigeMutation())
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && closeServerAdminDialog()}
      title={t(`title.${act}`, { name: server.name })}
      text={t(`text.${act}`)}
      confirm={t(`act.${act}`)}
      onConfirm={() => (act === 'delete' ? drop.mutateAsync({ id: server.id }) : end.mutateAsync(server.id))}
    />
  )
}
