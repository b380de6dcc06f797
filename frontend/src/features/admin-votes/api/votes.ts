import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { moderationKeys } from '@/entities/moderation/keys'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'
import type { Range } from '../model/votes'

type TableRequest = TableState<'server' | 'nickname' | 'from' | 'to'>

/** Counted votes of one server on a few days: more would take too long to count. */
function select({ filters }: TableRequest, range: Range, signal: AbortSignal) {
  let query = supabase
    .from('votes')
    .select('id,server_id,nickname,was_signed_in,voted_at,servers!inner(slug,name),profiles(username)', {
      count: 'exact',
    })
    .eq('servers.slug', filters.server)
    .gte('voted_at', range.from)
    .lt('voted_at', range.until)
  if (filters.nickname !== '') query = query.ilike('nickname', containing(filters.nickname))
  return query.abortSignal(signal)
}

const fetchVotes = (request: TableRequest, range: Range, signal: AbortSignal) =>
  fetchTablePage(() => select(request, range, signal), request)
export type VoteRecord = Awaited<ReturnType<typeof fetchVotes>>['rows'][number]

export const votesTableQuery = (request: TableRequest, range: Range) =>
  queryOptions({
    queryKey: moderationKeys.votes({ wanted: request, range }),
    queryFn: ({ signal }) => fetchVotes(request, range, signal),
    placeholderData: keepPreviousData,
  })
