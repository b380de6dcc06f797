/** What somebody who runs the site is about to do to a server: asked for by cards and tables, drawn by the feature. */
import { createDialog } from '@/lib/browser/create-dialog'

const SERVER_ACTS = ['refuse', 'suspend', 'owner', 'prestige', 'endPrestige', 'delete'] as const
export type ServerAct = (typeof SERVER_ACTS)[number]

export interface ActedServer {
  id: string
  name: string
  /** How it stands as far as was seen; the database tells whoever is late. */
  state: string
  owner_id: string | null
}

interface Asked {
  act: ServerAct
  server: ActedServer
}

const dialog = createDialog<Asked>()

export const { close: closeServerAct, useSubject: useServerAct } = dialog

export function askForServerAct(act: ServerAct, server: ActedServer): void {
  dialog.open({ act, server })
}
