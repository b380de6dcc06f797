import { queryOptions } from '@tanstack/react-query'
import { unwrapCounted } from '@/lib/errors'
import { keys } from '@/lib/query-keys'
import { supabase } from '@/lib/supabase'

export interface Waiting {
  reports: number
  proposals: number
}

/** What waits for a decision of those who run the site; nobody else is told. */
export const waitingQuery = () =>
  queryOptions({ queryKey: keys.waiting.own, queryFn: ({ signal }) => fetchWaiting(signal), staleTime: 60_000 })

async function fetchWaiting(signal: AbortSignal): Promise<Waiting> {
  const [reports, proposals] = await Promise.all([pending('reports', signal), pending('tag_proposals', signal)])
  return { reports, proposals }
}

async function pending(table: 'reports' | 'tag_proposals', signal: AbortSignal): Promise<number> {
  const answer = await supabase
    .from(table)
    .select('id', { count: 'exact' })
    .eq('status', 'pending')
    .range(0, 0)
    .abortSignal(signal)
  return unwrapCounted(answer).count
}
