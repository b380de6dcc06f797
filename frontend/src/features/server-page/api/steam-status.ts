import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { functionError } from '@/lib/api/errors'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { ServerDetail } from './server'

/** The status that a Steam server reports. */
export interface SteamStatus {
  is_online: boolean
  online_players: number
  max_players: number
  map?: string | null
  name?: string | null
}

async function fetchStatus(serverId: string, signal: AbortSignal): Promise<SteamStatus | null> {
  const { publicFunctions } = await import('@/lib/api/functions')
  const { data, error } = await publicFunctions.invoke<{ server: SteamStatus | null }>('steam-server-status', {
    body: { serverId },
    signal,
  })
  if (error !== null) throw await functionError(error)
  return data?.server ?? null
}

/** Queried only for Steam games with a real address; null while nothing is known. */
export const steamStatusQuery = (server: Pick<ServerDetail, 'id' | 'ip_address' | 'games'>) =>
  queryOptions({
    queryKey: serverKeys.steamStatus(server.id),
    queryFn: ({ signal }) => fetchStatus(server.id, signal),
    enabled: server.games.is_steam && !['', 'N/A', '{ip}'].includes(server.ip_address.trim()),
    staleTime: STALE_TIME.settled,
    refetchInterval: 10 * 60_000,
    refetchOnWindowFocus: false,
    retry: 2,
  })
