import { queryOptions } from '@tanstack/react-query'
import { unwrapCounted } from '@/lib/errors'
import { keys } from '@/lib/query-keys'
import { supabase } from '@/lib/supabase'

export interface Waiting {
  reports: number
  proposals: number
  servers: number
}

/** What waits for a decision of those who run the site; nobody else is told. */
export const waitingQuery = () =>
  queryOptions({ queryKey: keys.waiting.own, queryFn: ({ signal }) => fetchWaiting(signal), staleTime: 60_000 })

async function fetchWaiting(signal: AbortSignal): Promise<Waiting> {
  const [reports, proposals, servers] = await Promise.all([
    pending('reports', signal),
    pending('tag_proposals', signal),
    unjudged(signal),
  ])
  return { reports, proposals, servers }
}

/** Servers nobody has approved or refused yet. */
async function unjudged(signal: AbortSignal): Promise<number> {
  const answer = await supabase
    .from('servers_overseen')
    .select('id', { count: 'exact' })
    .eq('is_approved', false)
    .is('refused_at', null)
    .range(0, 0)
    .abortSignal(signal)
  return unwrapCounted(answer).count
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
