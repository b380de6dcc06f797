/** The tags that a server may have, with their colors and their names in each language. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { tagKeys } from './keys'

export type Tag = Awaited<ReturnType<typeof fetchTags>>[number]

export const tagsQuery = () =>
  queryOptions({ queryKey: tagKeys.list, queryFn: fetchTags, staleTime: STALE_TIME.settled })

async function fetchTags({ signal }: { signal: AbortSignal }) {
  return unwrap(
    await publicData.from('server_tags').select('name,color,name_fr,name_en,name_es').order('name').abortSignal(signal),
  )
}
