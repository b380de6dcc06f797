import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** As whoever is here, since an owner finds what visitors do not see. */
async function fetchMoved(slug: string, viewer: string | null, signal: AbortSignal): Promise<string | null> {
  const asked = { p_slug: slug }
  if (viewer === null)
    return unwrapOptional(await publicData.rpc('moved_server_slug', asked, { get: true }).abortSignal(signal))
  const { supabase } = await import('@/lib/api/supabase')
  return unwrapOptional(await supabase.rpc('moved_server_slug', asked, { get: true }).abortSignal(signal))
}

/** The slug of a server whose page once stood at this one; null where none did. */
export const movedQuery = (slug: string, viewer: string | null) =>
  queryOptions({
    queryKey: serverKeys.moved(slug, viewer),
    queryFn: ({ signal }) => fetchMoved(slug, viewer, signal),
    staleTime: STALE_TIME.steady,
  })
