import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** The person's own servers, with what a tile shows of them. */
export const advertisedQuery = (userId: string) =>
  queryOptions({
    queryKey: serverKeys.advertised(userId),
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('servers_managed')
          .select('id, name, monthly_votes, games(name)')
          .eq('owner_id', userId)
          .order('created_at')
          .order('id')
          .abortSignal(signal),
      ),
    staleTime: 60_000,
  })
