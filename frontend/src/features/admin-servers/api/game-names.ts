import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { laterKeys } from '@/lib/query/later-keys'
import { supabase } from '@/lib/api/supabase'

/** Every game, closed ones too. */
export const gameNamesQuery = () =>
  queryOptions({
    queryKey: laterKeys.catalogue.gameNames,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('games')
          .select('id,name,game_figures(servers)')
          .order('name')
          .limit(500)
          .abortSignal(signal),
      ),
    staleTime: 300_000,
  })
