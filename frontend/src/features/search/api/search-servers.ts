import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'
import { searchPattern } from '../model/search-pattern'

export const MOST_RESULTS = 5
export const SHORTEST_QUERY = 2

/** Servers whose name contains the text, whatever its case. Asks nothing below two characters. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: keys.servers.search(text),
    queryFn: ({ signal }) => searchServers(text, signal),
    enabled: text.length >= SHORTEST_QUERY,
    staleTime: 30_000,
    retry: 1,
    placeholderData: keepPreviousData,
  })

async function searchServers(text: string, signal: AbortSignal) {
  return unwrap(
    await publicData
      .from('servers_public')
      .select(
        'id,slug,name,description,ip_address,total_votes,online_players,max_players,is_online,games(name,logo_url,is_steam)',
      )
      .eq('is_approved', true)
      .eq('is_hidden', false)
      .ilike('name', searchPattern(text))
      .order('total_votes', { ascending: false })
      .order('id')
      .limit(MOST_RESULTS)
      .abortSignal(signal),
  )
}

export type FoundServer = Awaited<ReturnType<typeof searchServers>>[number]
