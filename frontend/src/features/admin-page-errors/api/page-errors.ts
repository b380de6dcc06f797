import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { pageErrorKeys } from '@/entities/page-error/keys'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'name' | 'page'>

function select({ filters }: TableRequest, signal?: AbortSignal) {
  let query = supabase
    .from('page_errors')
    .select('id, release, page, name, frames, reports, first_at, last_at', { count: 'exact' })
  if (filters.name !== '') query = query.ilike('name', containing(filters.name))
  if (filters.page !== '') query = query.eq('page', filters.page)
  return signal ? query.abortSignal(signal) : query
}

/** A page of the errors that browsers reported. */
export const pageErrorsQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: pageErrorKeys.table(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

type Answer = Awaited<ReturnType<typeof select>>
export type PageError = NonNullable<Answer['data']>[number]
