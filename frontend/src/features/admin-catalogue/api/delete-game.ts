import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import { supabase } from '@/lib/api/supabase'

/** Refused while a server is of this game. */
async function deleteGame(id: string): Promise<void> {
  const { error, status } = await supabase.from('games').delete().eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteGameMutation = () =>
  mutationOptions({
    mutationFn: deleteGame,
    meta: {
      invalidates: [keys.games.all],
      done: 'admin-catalogue:games.deleted',
      failed: 'admin-catalogue:games.notDeleted',
      refusals: { '23503': 'admin-catalogue:games.used' },
    },
  })
