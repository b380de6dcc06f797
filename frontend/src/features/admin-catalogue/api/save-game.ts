import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
import { supabase } from '@/lib/api/supabase'
import type { GameValues } from '../model/game'

/** The address of a game's page is made of its first name and stays. */
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
  // The slug is named by a trigger, which the generated type cannot know.
  const asked =
    id === null ? games.insert(row as typeof row & { slug: string; page_slug: string }) : games.update(row).eq('id', id)
  const { error, status } = await asked.select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const saveGameMutation = () =>
  mutationOptions({
    mutationFn: saveGame,
    meta: { invalidates: [keys.games.all, keys.servers.all], done: 'admin-catalogue:games.saved' },
  })
