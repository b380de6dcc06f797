import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { moderationKeys } from '@/entities/moderation/keys'
import { ApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'state' | 'reason'>

const COLUMNS =
  'id,server_id,comment_id,reason,custom_reason,status,resolution_note,created_at,reporter:profiles!reports_reporter_id_fkey(username),notice:report_notices(name),servers(name,slug),reviews(servers(name,slug))'

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  let query = supabase.from('reports').select(COLUMNS, { count: 'exact' })
  if (filters.state !== '') query = query.eq('status', filters.state)
  if (filters.reason !== '') query = query.eq('reason', filters.reason)
  return signal ? query.abortSignal(signal) : query
}

/** All reports, in any state. */
export const reportsTableQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: moderationKeys.reports(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

/** The maximum number of rows in a file. */
const LONGEST_FILE = 1000

export const fetchAllReports = async (request: TableRequest) =>
  unwrap(await select(request).order('created_at', { ascending: false }).limit(LONGEST_FILE))
export type ReportRecord = Awaited<ReturnType<typeof fetchAllReports>>[number]

/** The case to which a report belongs: the open one, else the last decided one. */
async function findCase({ comment_id, server_id }: Pick<ReportRecord, 'comment_id' | 'server_id'>): Promise<string> {
  const found = unwrap(
    await supabase
      .from('moderation_cases')
      .select('id')
      .eq('kind', 'report')
      .eq('subject_id', comment_id ?? server_id ?? '')
      .order('decided_at', { ascending: false, nullsFirst: true })
      .limit(1),
  )
  const [newest] = found
  if (newest === undefined) throw new ApiError('PT404', 'The report has no case', 404)
  return newest.id
}

export const findCaseMutation = () =>
  mutationOptions({ mutationFn: findCase, meta: { failed: 'admin-moderation:table.noCase' } })
