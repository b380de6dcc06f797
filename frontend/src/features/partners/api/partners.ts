import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { partnerKeys } from '@/entities/partner/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'
import { backlinkState } from '../model/partner'

type TableRequest = TableState<'name' | 'link'>

/** Milliseconds between two reads while a check is pending. */
const SOON = 3_000

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  let query = supabase
    .from('partners_overseen')
    .select(
      'id,name,url,logo_url,description,position,is_active,backlink_url,backlink_found,backlink_fault,backlink_checked_at,backlink_asked_at',
      { count: 'exact' },
    )
  if (filters.name !== '') query = query.ilike('name', containing(filters.name))
  if (filters.link === 'good') query = query.is('backlink_found', true).is('backlink_fault', null)
  if (filters.link === 'bad') query = query.not('backlink_fault', 'is', null)
  return signal ? query.abortSignal(signal) : query
}

/** A page of the partners, visible or not. */
export const partnersQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: partnerKeys.table(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.rows.some((partner) => backlinkState(partner).state === 'asked') ? SOON : false,
  })

/** All partners, for a file. */
export const fetchAllPartners = async (request: TableRequest) =>
  unwrap(await select(request).order('position').limit(1000))

export type PartnerRecord = Awaited<ReturnType<typeof fetchAllPartners>>[number]
