import { queryOptions } from '@tanstack/react-query'
import { tagKeys } from '@/entities/tag/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import type { Database } from '@/lib/database'
import { STALE_TIME } from '@/lib/query/stale-times'

export type TagNames = Pick<
  Database['public']['Tables']['server_tags']['Row'],
  'name' | 'color' | 'name_fr' | 'name_en' | 'name_es'
>

/** Colours and translated names of the given tags. */
export const tagsQuery = (names: readonly string[]) =>
  queryOptions({
    queryKey: tagKeys.named(names),
    queryFn: async ({ signal }): Promise<TagNames[]> =>
      unwrap(
        await publicData
          .from('server_tags')
          .select('name,color,name_fr,name_en,name_es')
          .in('name', [...names])
          .order('name')
          .abortSignal(signal),
      ),
    enabled: names.length > 0,
    staleTime: STALE_TIME.settled,
  })
