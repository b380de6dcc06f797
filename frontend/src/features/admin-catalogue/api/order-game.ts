import { mutationOptions } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

interface Place {
  id: string
  sort_order: number
}

/** Stores the new places of games; the first refusal ends it. */
async function orderGames(places: readonly Place[]): Promise<void> {
  for (const { id, sort_order } of places) {
    const { error, status } = await supabase.from('games').update({ sort_order }).eq('id', id).select('id').single()
    if (error !== null) throw toApiError(error, status)
  }
}

export const orderGamesMutation = () =>
  mutationOptions({
    mutationFn: orderGames,
    meta: { invalidates: [gameKeys.all], waits: true, failed: 'admin-catalogue:games.notOrdered' },
  })
