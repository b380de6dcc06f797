import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { tagProposalKeys } from '@/entities/tag/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'name' | 'status'>

const COLUMNS =
  'id,name,description,color,status,admin_notes,created_at,reviewed_at,proposer:profiles!tag_proposals_proposed_by_fkey(username),reviewer:profiles!tag_proposals_reviewed_by_fkey(username)'

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  let query = supabase.from('tag_proposals').select(COLUMNS, { count: 'exact' })
  if (filters.name !== '') query = query.ilike('name', containing(filters.name))
  query = filters.status === 'all' ? query : query.eq('status', filters.status || 'pending')
  return signal ? query.abortSignal(signal) : query
}

/** A page of the proposals; pending ones by default. */
export const proposalsQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: tagProposalKeys.table(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

const oneProposal = async (request: TableRequest) => unwrap(await select(request))
export type ProposalRecord = Awaited<ReturnType<typeof oneProposal>>[number]
