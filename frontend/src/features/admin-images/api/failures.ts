import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { imageKeys } from '@/entities/image/keys'
import { unwrapCounted } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** How many failures are shown; there may be more. */
const MOST = 50

/** Images that could not be made smaller, the latest first. They change during a run. */
export const failuresQuery = (looked: string) =>
  queryOptions({
    queryKey: imageKeys.failures(looked),
    queryFn: async ({ signal }) =>
      unwrapCounted(
        await supabase
          .from('image_checks')
          .select('name,reason,checked_at', { count: 'exact' })
          .eq('state', 'failed')
          .order('checked_at', { ascending: false })
          .limit(MOST)
          .abortSignal(signal),
      ),
    placeholderData: keepPreviousData,
  })
