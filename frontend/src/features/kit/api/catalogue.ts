import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { gameKeys } from '@/entities/game/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'name' | 'kind'>

function select({ filters }: TableRequest, signal?: AbortSignal) {
  let query = publicData.from('games').select('id, name, default_port, sort_order, is_steam', { count: 'exact' })
  if (filters.name !== '') query = query.ilike('name', containing(filters.name))
  if (filters.kind !== '') query = query.eq('is_steam', filters.kind === 'steam')
  return signal ? query.abortSignal(signal) : query
}

export const catalogueQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: gameKeys.table(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

export const fetchAllCatalogue = async (request: TableRequest) => unwrap(await select(request))
export type CatalogueGame = Awaited<ReturnType<typeof fetchAllCatalogue>>[number]

async function save({ id, ...change }: Pick<CatalogueGame, 'id' | 'name' | 'sort_order'>): Promise<void> {
  const { supabase } = await import('@/lib/api/supabase')
  const { error, status } = await supabase.from('games').update(change).eq('id', id).select('id').single()
  if (error !== null) throw toApiError(error, status)
}

export const saveGameMutation = () => mutationOptions({ mutationFn: save, meta: { invalidates: [gameKeys.all] } })
