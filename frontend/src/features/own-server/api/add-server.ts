import { mutationOptions } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { profileKeys } from '@/entities/profile/keys'
import { serverKeys } from '@/entities/server/keys'
import { siteKeys } from '@/entities/site/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Language } from '@/lib/i18n/languages'
import { namedRefusal } from '../model/refusals'
import { columnsOf, type AddValues } from '../model/server-form'
import { announceServer } from './announce'
import { logSecurityEvent } from './security-log'

interface NewServer {
  userId: string
  values: AddValues
  /** The language of the page. */
  language: Language
}

async function addServer({ userId, values, language }: NewServer) {
  const { game_id, name } = values
  try {
    // A variable of its own: inline, TypeScript would infer the row's type from the expected
    // result.
    const answer = await supabase
      .from('servers')
      .insert({ ...columnsOf(values), game_id, name, owner_id: userId })
      .select('id, slug, name, is_approved, is_hidden, games(name, slug, page_slug)')
      .single()
    const added = unwrap(answer)
    logSecurityEvent('server_created', { server_id: added.id, server_name: name, game_id })
    if (added.is_approved && !added.is_hidden) announceServer(added.id, language)
    return added
  } catch (cause) {
    const error = namedRefusal(cause)
    logSecurityEvent('server_creation_failed', { server_name: name, game_id, code: error.code })
    throw error
  }
}

export type AddedServer = Awaited<ReturnType<typeof addServer>>

/** Creates a server. The page shows the outcome, and refusals beside their fields. */
export const addServerMutation = () =>
  mutationOptions({
    mutationFn: addServer,
    meta: { invalidates: [serverKeys.all, profileKeys.all, gameKeys.all, siteKeys.stats] },
  })
