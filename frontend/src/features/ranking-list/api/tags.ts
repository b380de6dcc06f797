import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import type { Language } from '@/lib/languages'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'

export interface Tag {
  name: string
  color: string
  name_fr: string | null
  name_en: string | null
  name_es: string | null
}

export const tagsQuery = () => queryOptions({ queryKey: keys.tags.list, queryFn: fetchTags, staleTime: 5 * 60_000 })

async function fetchTags({ signal }: { signal: AbortSignal }): Promise<Tag[]> {
  return unwrap(
    await publicData.from('server_tags').select('name,color,name_fr,name_en,name_es').order('name').abortSignal(signal),
  )
}

/** A tag's name in the reader's language. */
export function tagLabel(tag: Tag, language: Language): string {
  return tag[`name_${language}`] ?? tag.name
}
