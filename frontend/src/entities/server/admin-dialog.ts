/**
 * The action that an administrator is about to take on a server: set by cards and tables, read by
 * the feature that draws the dialog.
 */
import { createDialog } from '@/lib/browser/create-dialog'

const SERVER_ADMIN_ACTIONS = ['refuse', 'suspend', 'owner', 'prestige', 'endPrestige', 'delete'] as const
export type ServerAdminAction = (typeof SERVER_ADMIN_ACTIONS)[number]

export interface AdministeredServer {
  id: string
  name: string
  /** The state that was shown; the database refuses the action if it has changed since. */
  state: string
  owner_id: string | null
}

interface DialogSubject {
  act: ServerAdminAction
  server: AdministeredServer
}

const dialog = createDialog<DialogSubject>()

export const { close: closeServerAdminDialog, useSubject: useServerAdminDialog } = dialog

export function openServerAdminDialog(act: ServerAdminAction, server: AdministeredServer): void {
  dialog.open({ act, server })
}
