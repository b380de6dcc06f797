import { mutationOptions } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Refused while a server has this game. */
async function deleteGame(id: string): Promise<void> {
  const { error, status } = await supabase.from('games').delete().eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const deleteGameMutation = () =>
  mutationOptions({
    mutationFn: deleteGame,
    meta: {
      invalidates: [gameKeys.all],
      done: 'admin-catalogue:games.deleted',
      failed: 'admin-catalogue:games.notDeleted',
      refusals: { '23503': 'admin-catalogue:games.used' },
    },
  })
