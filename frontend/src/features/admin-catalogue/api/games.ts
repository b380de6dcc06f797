import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { gameKeys } from '@/entities/game/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'name' | 'state'>

const COLUMNS =
  'id,name,slug,logo_url,backdrop_url,is_steam,status_protocol,default_port,nickname_pattern,accent_color,sort_order,is_active'

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  let query = supabase.from('games').select(COLUMNS, { count: 'exact' })
  if (filters.name !== '') query = query.ilike('name', containing(filters.name))
  if (filters.state !== '') query = query.eq('is_active', filters.state === 'open')
  return signal ? query.abortSignal(signal) : query
}

/** A page of the games, open or closed. */
export const gamesTableQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: gameKeys.edited(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

export const fetchAllGames = async (request: TableRequest) => unwrap(await select(request).order('sort_order'))
export type GameRecord = Awaited<ReturnType<typeof fetchAllGames>>[number]
