import { mutationOptions } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { serverKeys } from '@/entities/server/keys'
import { ApiError, unwrapOptional } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { namedRefusal } from '../model/refusals'
import { columnsOf, type ServerValues } from '../model/server-form'
import { fetchOwnServer, type OwnServer } from './own-server'

interface Change {
  userId: string
  id: string
  /** The version of the row that the form is based on: a later change is not overwritten. */
  stamp: string
  values: Partial<ServerValues>
}

async function saveServer({ id, stamp, values }: Change): Promise<OwnServer> {
  const answer = await supabase
    .from('servers')
    .update(columnsOf(values))
    .eq('id', id)
    .eq('updated_at', stamp)
    .select('id')
    .maybeSingle()
  if (answer.error !== null) throw namedRefusal({ ...answer.error, status: answer.status })
  // A write does not return the columns that moderators set, so the row is read again.
  const row = unwrapOptional(answer) && (await fetchOwnServer(id, new AbortController().signal))
  if (row === null) throw new ApiError('edited_elsewhere', 'The server was written meanwhile', 409)
  return row
}

/** The form shows refusals beside their fields. */
export const saveServerMutation = () =>
  mutationOptions({
    mutationFn: saveServer,
    onSuccess: (row, { userId, id }, _, { client }) => client.setQueryData(serverKeys.edited(userId, id), row),
    meta: { invalidates: [serverKeys.all, gameKeys.all], done: 'own-server:edit.saved' },
  })
