import { queryOptions } from '@tanstack/react-query'
import { tagKeys } from '@/entities/tag/keys'
import { arrayLiteral } from '@/lib/api/array-literal'
import { unwrapCounted } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** How many servers have a tag: they lose it when it is deleted. */
export const tagUseQuery = (name: string) =>
  queryOptions({
    queryKey: tagKeys.use(name),
    queryFn: ({ signal }) => countWearers(name, signal),
  })

async function countWearers(name: string, signal: AbortSignal): Promise<number> {
  const answer = await supabase
    .from('servers')
    .select('id', { count: 'exact' })
    .contains('tags', arrayLiteral([name]))
    .range(0, 0)
    .abortSignal(signal)
  return unwrapCounted(answer).count
}
