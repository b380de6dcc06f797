import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { ListState } from '../model/list-state'
import { fetchPodium, fetchServers, type ServerListRequest } from './servers'

/**
 * The query for a state of the list: the running event's ranking, or the ranking of the given
 * games.
 */
export function listQuery(games: readonly string[], state: ListState) {
  const request: ServerListRequest = { ...state, games }
  return queryOptions({
    queryKey: serverKeys.list(request),
    queryFn: async ({ signal }) => {
      if (state.sort !== 'competitive') return fetchServers(request, signal)
      const { fetchCompetitiveServers } = await import('./competitive-servers')
      return fetchCompetitiveServers(request, signal)
    },
    staleTime: STALE_TIME.moving,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  })
}

/** The first three of the ranking, for pages that do not contain them. */
export const podiumQuery = (games: readonly string[]) =>
  queryOptions({
    queryKey: serverKeys.podium(games),
    queryFn: ({ signal }) => fetchPodium(games, signal),
    staleTime: STALE_TIME.recent,
  })
