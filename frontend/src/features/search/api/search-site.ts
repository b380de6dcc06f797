import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Language } from '@/lib/i18n/languages'
import { STALE_TIME } from '@/lib/query/stale-times'

export const SHORTEST_QUERY = 2
/** The limit of the database. */
export const LONGEST_QUERY = 100

/**
 * At most three games, three tags and five servers that match a text. Sends no request for less
 * than two characters.
 */
export const searchQuery = (text: string, language: Language) =>
  queryOptions({
    queryKey: serverKeys.search(text, language),
    queryFn: ({ signal }) => searchSite(text, language, signal),
    enabled: text.length >= SHORTEST_QUERY,
    staleTime: STALE_TIME.recent,
    retry: 1,
    placeholderData: keepPreviousData,
  })

async function searchSite(text: string, language: Language, signal: AbortSignal) {
  return unwrap(await publicData.rpc('search_site', { p_query: text, p_language: language }).abortSignal(signal))
}

/** One result; its kind decides which columns are set. */
export type SearchResult = Awaited<ReturnType<typeof searchSite>>[number]

/** The typed text as it is searched: without control characters, cut to the limit. */
export function searchedText(typed: string): string {
  return typed
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_QUERY)
}
