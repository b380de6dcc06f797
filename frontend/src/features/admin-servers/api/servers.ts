import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'
import { fold } from '@/lib/text/fold'

type TableRequest = TableState<'name' | 'state' | 'game' | 'owner'>

const COLUMNS =
  'id,slug,name,ip_address,is_approved,is_hidden,hidden_reason,refused_at,moderation_reason,is_sponsored,prestige_expires_at,warnings,created_at,updated_at,owner_id,server_state,monthly_votes,game_name,owner_name'

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  // Both views have the same columns; the second one is read by owner.
  const view = filters.owner === '' ? 'servers_overseen' : ('servers_of_owners' as 'servers_overseen')
  let query = supabase.from(view).select(COLUMNS, { count: 'exact' })
  const name = fold(filters.name)
  if (name !== '') query = query.like('search_name', containing(name))
  if (filters.game !== '') query = query.eq('game_id', filters.game)
  if (filters.owner !== '') query = query.ilike('owner_name', containing(filters.owner))
  // Filters on the columns from which the database derives the state (`server_state`), so that
  // indexes are used.
  if (filters.state === 'waiting') query = query.eq('is_approved', false).is('refused_at', null)
  if (filters.state === 'refused') query = query.eq('is_approved', false).not('refused_at', 'is', null)
  if (filters.state === 'shown') query = query.eq('is_approved', true).eq('is_hidden', false)
  if (filters.state === 'suspended')
    query = query.eq('is_approved', true).eq('is_hidden', true).eq('hidden_reason', 'moderation')
  if (filters.state === 'hidden')
    query = query.eq('is_approved', true).eq('is_hidden', true).or('hidden_reason.is.null,hidden_reason.neq.moderation')
  return signal ? query.abortSignal(signal) : query
}

/** A page of all servers, in any state. */
export const serversTableQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: serverKeys.table(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

/** The maximum number of rows in a file. */
const LONGEST_FILE = 1000

export const fetchAllServers = async (request: TableRequest) =>
  unwrap(await select(request).order('created_at', { ascending: false }).limit(LONGEST_FILE))
export type ServerRecord = Awaited<ReturnType<typeof fetchAllServers>>[number]
