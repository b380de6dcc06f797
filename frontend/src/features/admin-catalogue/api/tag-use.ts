import { queryOptions } from '@tanstack/react-query'
import { unwrapCounted } from '@/lib/api/errors'
import { laterKeys } from '@/lib/query/later-keys'
import { supabase } from '@/lib/api/supabase'

/** How many servers wear a tag: they lose it when it goes. */
export const tagUseQuery = (name: string) =>
  queryOptions({
    queryKey: laterKeys.catalogue.tagUse(name),
    queryFn: ({ signal }) => countWearers(name, signal),
  })

async function countWearers(name: string, signal: AbortSignal): Promise<number> {
  const answer = await supabase
    .from('servers')
    .select('id', { count: 'exact' })
    .contains('tags', [name])
    .range(0, 0)
    .abortSignal(signal)
  return unwrapCounted(answer).count
}
