/** The audit log of the administration, the newest first, for the table or the file. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { securityKeys } from '@/entities/security/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'
import { periodOf } from '../model/period'

type TableRequest = TableState<'q' | 'kind' | 'action' | 'from' | 'to'>

function select({ filters }: TableRequest, signal?: AbortSignal) {
  let query = supabase
    .from('audit_log_overseen')
    .select('id, created_at, actor_name, action, subject_kind, subject_label, person_name, before, after', {
      count: 'exact',
    })
  const { from, until } = periodOf(filters.from, filters.to)
  if (filters.q !== '') query = query.ilike('names', containing(filters.q))
  if (filters.kind !== '') query = query.eq('subject_kind', filters.kind)
  if (filters.action !== '') query = query.eq('action', filters.action)
  if (from !== null) query = query.gte('created_at', from)
  if (until !== null) query = query.lt('created_at', until)
  return signal ? query.abortSignal(signal) : query
}

export const auditLogQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: securityKeys.audit(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

/** The maximum number of rows in a response of the API. */
const STEP = 1000

const stepOf = async (request: TableRequest, below: number) =>
  unwrap(await select(request).lt('id', below).order('id', { ascending: false }).limit(STEP))
export type AuditEntry = Awaited<ReturnType<typeof stepOf>>[number]

/** All entries, paginated by the last id, so that new entries shift nothing. */
export async function fetchAllAuditLog(request: TableRequest): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const step = await stepOf(request, below)
    const last = step.at(-1)
    if (last === undefined) return entries
    entries.push(...step)
    below = last.id
  }
}
