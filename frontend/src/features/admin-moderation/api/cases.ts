import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { unwrapCounted } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing } from '@/lib/api/table-page'

export interface CaseFilter {
  kind: string
  label: string
  isDecided: boolean
}

/** As many cases as one can look over; decided cases make room for further ones. */
const SHOWN = 40

const COLUMNS =
  'id,kind,label,review_id,opened_at,decision,sanction,decided_at,taken_back_at,person:profiles!moderation_cases_person_id_fkey(username)'

async function fetchCases({ kind, label, isDecided }: CaseFilter, signal: AbortSignal) {
  let query = supabase.from('moderation_cases').select(COLUMNS, { count: 'exact' })
  if (kind !== '') query = query.eq('kind', kind)
  if (label !== '') query = query.ilike('label', containing(label))
  const ordered = isDecided
    ? query.not('decision', 'is', null).order('decided_at', { ascending: false })
    : query.is('decision', null).order('opened_at')
  return unwrapCounted(
    await ordered
      .order('id')
      .range(0, SHOWN - 1)
      .abortSignal(signal),
  )
}

export type QueuedCase = Awaited<ReturnType<typeof fetchCases>>['rows'][number]

/** Pending cases, the oldest first; or decided cases, the latest first. */
export const casesQuery = (request: CaseFilter) =>
  queryOptions({
    queryKey: moderationKeys.cases(request),
    queryFn: ({ signal }) => fetchCases(request, signal),
    placeholderData: keepPreviousData,
  })
