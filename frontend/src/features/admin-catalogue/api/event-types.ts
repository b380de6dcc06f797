import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { eventKeys } from '@/entities/event/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'name' | 'state'>

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  let query = supabase
    .from('event_types')
    .select('key,name_fr,name_en,name_es,icon,color,is_active,created_at', { count: 'exact' })
  if (filters.name !== '') query = query.ilike('name_fr', containing(filters.name))
  if (filters.state !== '') query = query.eq('is_active', filters.state === 'active')
  return signal ? query.abortSignal(signal) : query
}

/** A page of the event types, active or not. */
export const eventTypesQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: eventKeys.typeTable(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request, 'key'),
    placeholderData: keepPreviousData,
  })

const allTypes = async (request: TableRequest) => unwrap(await select(request))
export type EventTypeRecord = Awaited<ReturnType<typeof allTypes>>[number]
