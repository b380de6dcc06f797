/** Moderators' decisions about the person, and the outcomes of their appeals. */
import { queryOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

/** A row of the procedure; its generated type does not know which columns may be null. */
export interface Decision {
  id: string
  label: string | null
  decision: string
  sanction: string | null
  until: string | null
  reason: string
  statement: string | null
  decided_at: string
  taken_back_at: string | null
  appealed_at: string | null
  appeal_decision: string | null
  appeal_statement: string | null
}

const fetchDecisions = async (signal: AbortSignal): Promise<Decision[]> =>
  unwrap(await supabase.rpc('get_my_decisions').abortSignal(signal))

export const decisionsQuery = () =>
  queryOptions({
    queryKey: moderationKeys.ownDecisions,
    queryFn: ({ signal }) => fetchDecisions(signal),
    staleTime: STALE_TIME.steady,
  })
