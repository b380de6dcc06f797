/** The vote API of a server: its token, and what its public id gives access to. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { toApiError, unwrapOptional } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

async function fetchAccess(id: string, signal: AbortSignal) {
  const columns = 'id, api_token, open_vote_api'
  return unwrapOptional(
    await supabase.from('servers_managed').select(columns).eq('id', id).abortSignal(signal).maybeSingle(),
  )
}

export type VoteApiAccess = NonNullable<Awaited<ReturnType<typeof fetchAccess>>>

export const voteApiQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: serverKeys.voteApi(userId, id),
    queryFn: ({ signal }) => fetchAccess(id, signal),
    staleTime: STALE_TIME.moving,
  })

async function regenerateToken(id: string): Promise<void> {
  const { error, status } = await supabase.rpc('regenerate_server_api_token', { p_server_id: id })
  if (error !== null) throw toApiError(error, status)
}

/** Creates a new token, which invalidates the old one. */
export const regenerateTokenMutation = () =>
  mutationOptions({
    mutationFn: regenerateToken,
    meta: {
      invalidates: [serverKeys.all],
      waits: true,
      done: () => ({ title: 'own-server:voteApi.regenerated' }),
      failed: 'own-server:voteApi.notRegenerated',
    },
  })

interface OpenChange {
  id: string
  isOpen: boolean
}

async function setOpen({ id, isOpen }: OpenChange): Promise<void> {
  const { error, status } = await supabase.from('servers').update({ open_vote_api: isOpen }).eq('id', id)
  if (error !== null) throw toApiError(error, status)
}

/** Whether the vote API returns nicknames to callers with only the public id. */
export const openVoteApiMutation = () =>
  mutationOptions({
    mutationFn: setOpen,
    meta: {
      invalidates: [serverKeys.all],
      waits: true,
      done: (_: void, { isOpen }: OpenChange) => ({
        title: isOpen ? 'own-server:voteApi.opened' : 'own-server:voteApi.closed',
      }),
      failed: 'own-server:voteApi.notSwitched',
    },
  })
