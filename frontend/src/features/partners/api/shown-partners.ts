import { queryOptions } from '@tanstack/react-query'
import { partnerKeys } from '@/entities/partner/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** The partners in the footer. */
export const shownPartnersQuery = () =>
  queryOptions({
    queryKey: partnerKeys.shown,
    queryFn: async ({ signal }) =>
      unwrap(
        await publicData
          .from('partners')
          .select('id,name,url,logo_url,description')
          .is('is_active', true)
          .order('position')
          .order('name')
          .limit(24)
          .abortSignal(signal),
      ),
    staleTime: STALE_TIME.rare,
  })
