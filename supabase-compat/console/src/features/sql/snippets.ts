/** Saved statements: files of the project's folder `supabase/snippets`. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '@/api/client'

export interface Snippet {
  name: string
  query: string
}

export const snippetKey = ['snippets'] as const

export const snippetsQuery = queryOptions({
  queryKey: snippetKey,
  retry: false,
  queryFn: async ({ signal }): Promise<Snippet[]> => {
    const { snippets } = await request<{ snippets: Snippet[] }>('snippets', { signal })
    return snippets
  },
})

export const saveSnippet = ({ name, query }: Snippet) =>
  request<void>(`snippets/${encodeURIComponent(name)}`, { method: 'PUT', body: { query } })

export const deleteSnippet = (name: string) =>
  request<void>(`snippets/${encodeURIComponent(name)}`, { method: 'DELETE' })
