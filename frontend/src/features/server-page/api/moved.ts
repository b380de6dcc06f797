import { queryOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'

/** Queried with the viewer's session, because owners also find hidden servers. */
async function fetchMoved(slug: string, viewer: string | null, signal: AbortSignal): Promise<string | null> {
  const parameters = { p_slug: slug }
  if (viewer === null)
    return unwrapOptional(await publicData.rpc('moved_server_slug', parameters, { get: true }).abortSignal(signal))
  const { supabase } = await import('@/lib/api/supabase')
  return unwrapOptional(await supabase.rpc('moved_server_slug', parameters, { get: true }).abortSignal(signal))
}

/** The current slug of a server that formerly had this one; null if there is none. */
export const movedQuery = (slug: string, viewer: string | null) =>
  queryOptions({
    queryKey: serverKeys.moved(slug, viewer),
    queryFn: ({ signal }) => fetchMoved(slug, viewer, signal),
    staleTime: STALE_TIME.steady,
  })
