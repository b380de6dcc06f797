import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { tagKeys } from '@/entities/tag/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'name'>

const COLUMNS =
  'id,name,color,description,name_fr,name_en,name_es,description_fr,description_en,description_es,created_at,updated_at'

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  const query = supabase.from('server_tags').select(COLUMNS, { count: 'exact' })
  const request = filters.name === '' ? query : query.ilike('name', containing(filters.name))
  return signal ? request.abortSignal(signal) : request
}

/** A page of the tags, as the table asks for it. */
export const tagsQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: tagKeys.table(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

export const fetchAllTags = async (request: TableRequest) => unwrap(await select(request).order('name'))
export type TagRecord = Awaited<ReturnType<typeof fetchAllTags>>[number]
