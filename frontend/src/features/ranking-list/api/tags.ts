import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import type { Named } from '@/lib/name-in'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'

export interface Tag extends Named {
  color: string
}

export const tagsQuery = () => queryOptions({ queryKey: keys.tags.list, queryFn: fetchTags, staleTime: 5 * 60_000 })

async function fetchTags({ signal }: { signal: AbortSignal }): Promise<Tag[]> {
  return unwrap(
    await publicData.from('server_tags').select('name,color,name_fr,name_en,name_es').order('name').abortSignal(signal),
  )
}
