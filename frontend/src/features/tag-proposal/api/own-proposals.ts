import { queryOptions } from '@tanstack/react-query'
import { tagProposalKeys } from '@/entities/tag/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

const SHOWN = 10

/** The person's last proposals of tags and their outcomes. */
export const ownProposalsQuery = (userId: string) =>
  queryOptions({
    queryKey: tagProposalKeys.own(userId),
    queryFn: ({ signal }) => fetchOwnProposals(userId, signal),
    staleTime: STALE_TIME.recent,
  })

async function fetchOwnProposals(userId: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .from('tag_proposals')
      .select('id,name,color,status,admin_notes,created_at,reviewed_at')
      .eq('proposed_by', userId)
      .order('created_at', { ascending: false })
      .limit(SHOWN)
      .abortSignal(signal),
  )
}

export type OwnProposal = Awaited<ReturnType<typeof fetchOwnProposals>>[number]
