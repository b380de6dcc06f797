import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

/** When the Prestige of one's own server ends or ended; null if it never had any. */
export const untilQuery = (serverId: string) =>
  queryOptions({
    queryKey: serverKeys.prestigeUntil(serverId),
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .from('servers')
        .select('is_sponsored, prestige_expires_at')
        .eq('id', serverId)
        .abortSignal(signal)
        .single()
      const server = unwrap(answer)
      return server.is_sponsored ? server.prestige_expires_at : null
    },
    staleTime: STALE_TIME.moving,
  })
