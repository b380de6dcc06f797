import { queryOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'
import { overviewOf } from '../model/overview'

/** Pending tasks, failures and today's anomalies, for administrators and moderators. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: moderationKeys.pending,
    queryFn: async ({ signal }) => overviewOf(unwrap(await supabase.rpc('get_admin_overview').abortSignal(signal))),
    staleTime: STALE_TIME.steady,
    refetchInterval: 300_000,
  })
