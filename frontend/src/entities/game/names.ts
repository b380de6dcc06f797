import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'
import { gameKeys } from './keys'

/** Every game, including closed ones, for the filters of the administration. */
export const gameNamesQuery = () =>
  queryOptions({
    queryKey: gameKeys.names,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('games')
          .select('id,name,game_figures(servers)')
          .order('name')
          .limit(500)
          .abortSignal(signal),
      ),
    staleTime: STALE_TIME.settled,
  })
