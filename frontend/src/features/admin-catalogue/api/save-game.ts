import { mutationOptions } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { GameValues } from '../model/game'

/** The slug of a game is derived from its first name and never changes. */
async function saveGame({ id, values }: { id: string | null; values: GameValues }): Promise<void> {
  const row = {
    name: values.name,
    logo_url: values.logo || null,
    backdrop_url: values.backdrop || null,
    is_steam: values.steam,
    status_protocol: values.protocol,
    default_port: values.port,
    nickname_pattern: values.nickname || null,
    accent_color: values.colour || null,
    sort_order: values.order,
    is_active: values.open,
  }
  const games = supabase.from('games')
  // A trigger sets the slug, which the generated type does not know.
  const request =
    id === null ? games.insert(row as typeof row & { slug: string; page_slug: string }) : games.update(row).eq('id', id)
  const { error, status } = await request.select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const saveGameMutation = () =>
  mutationOptions({
    mutationFn: saveGame,
    meta: { invalidates: [gameKeys.all, serverKeys.all], done: 'admin-catalogue:games.saved' },
  })
