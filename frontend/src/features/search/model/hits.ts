/** The entries below the search field, and the address of each. Pure. */
import type { Language } from '@/lib/i18n/languages'
import { paths } from '@/lib/routing/paths'
import type { SearchResult } from '../api/search-site'

export interface Hit {
  id: string
  kind: 'game' | 'tag' | 'server' | 'all'
  to: string
  found?: SearchResult
}

/** Games, tags and servers in their order; if servers were found, also a link to all of them. */
export function hitsOf(found: readonly SearchResult[], text: string, language: Language): Hit[] {
  const hits = found.flatMap((row): Hit[] => {
    const to = addressOf(row, language)
    const kind = row.kind === 'game' || row.kind === 'tag' ? row.kind : 'server'
    return to === null ? [] : [{ id: `${row.kind}-${row.id}`, kind, to, found: row }]
  })
  if (!hits.some(({ kind }) => kind === 'server')) return hits
  return [...hits, { id: 'all', kind: 'all', to: resultsAddress(text, language) }]
}

/** The ranking, filtered by name. */
export function resultsAddress(text: string, language: Language): string {
  return `${paths.home(language)}?${new URLSearchParams({ q: text })}`
}

function addressOf(row: SearchResult, language: Language): string | null {
  if (row.kind === 'tag') return `${paths.home(language)}?${new URLSearchParams({ tag: row.slug })}`
  if (row.kind === 'server') return paths.server(language, { id: row.id, slug: row.slug })
  return paths.gameOf(language, { slug: row.slug, page_slug: row.page_slug ?? row.slug })
}
