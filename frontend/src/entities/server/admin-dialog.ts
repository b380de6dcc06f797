/** What somebody who runs the site is about to do to a server: asked for by cards and tables, drawn by the feature. */
import { createDialog } from '@/lib/browser/create-dialog'

const SERVER_ADMIN_ACTIONS = ['refuse', 'suspend', 'owner', 'prestige', 'endPrestige', 'delete'] as const
export type ServerAdminAction = (typeof SERVER_ADMIN_ACTIONS)[number]

export interface AdministeredServer {
  id: string
  name: string
  /** How it stands as far as was seen; the database tells whoever is late. */
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
