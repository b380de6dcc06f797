import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { moderationKeys } from '@/entities/moderation/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'name' | 'role' | 'state'>

const COLUMNS = 'id,username,email,role,total_votes,is_banned,ban_reason,banned_until,created_at'

function select({ filters }: Pick<TableRequest, 'filters'>, signal?: AbortSignal) {
  let query = supabase.from('profiles_overseen').select(COLUMNS, { count: 'exact' })
  if (filters.name !== '') query = query.ilike('username', containing(filters.name))
  if (filters.role !== '') query = query.eq('role', filters.role)
  if (filters.state === 'banned') query = query.eq('is_banned', true)
  return signal ? query.abortSignal(signal) : query
}

/** A page of all accounts. */
export const peopleTableQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: moderationKeys.people(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

/** The maximum number of rows in a file. */
const LONGEST_FILE = 1000

export const fetchAllPeople = async (request: TableRequest) =>
  unwrap(await select(request).order('created_at', { ascending: false }).limit(LONGEST_FILE))
export type PersonRecord = Awaited<ReturnType<typeof fetchAllPeople>>[number]
