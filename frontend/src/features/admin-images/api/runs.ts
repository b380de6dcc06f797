import { queryOptions } from '@tanstack/react-query'
import { imageKeys } from '@/entities/image/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Milliseconds between two reads during a run. */
const SOON = 2_000

/** The last runs, the newest first; polled during a run. */
export const runsQuery = () =>
  queryOptions({
    queryKey: imageKeys.runs,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('image_runs')
          .select(
            'id,retries_failed,total,optimized,skipped,failed,bytes_before,bytes_after,is_stopped,started_at,finished_at',
          )
          .order('started_at', { ascending: false })
          .limit(10)
          .abortSignal(signal),
      ),
    refetchInterval: ({ state }) => (state.data?.[0]?.finished_at === null ? SOON : false),
  })
