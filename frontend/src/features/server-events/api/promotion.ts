import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { laterKeys } from '@/lib/later-keys'
import { supabase } from '@/lib/supabase'

/** When the server's Prestige ends or ended; null where it has none. */
export const promotionQuery = (serverId: string) =>
  queryOptions({
    queryKey: laterKeys.servers.promotion(serverId),
    queryFn: async ({ signal }): Promise<string | null> => {
      const answer = await supabase
        .from('servers')
        .select('is_sponsored, prestige_expires_at')
        .eq('id', serverId)
        .abortSignal(signal)
        .single()
      const { is_sponsored: sponsored, prestige_expires_at: end } = unwrap(answer)
      return sponsored ? end : null
    },
    staleTime: 30_000,
  })
