import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { siteKeys } from '@/entities/site/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

/** Milliseconds between two reads; the job counts as often. */
const EVERY = 300_000

/** Every figure of the site between two days; from the first stored day on where none is named. */
async function fetchFigures(from: string | null, until: string, signal: AbortSignal) {
  return unwrap(
    await supabase
      .rpc('get_site_figures', { ...(from !== null && { p_from: from }), p_until: until })
      .abortSignal(signal),
  )
}

export type FigureRow = Awaited<ReturnType<typeof fetchFigures>>[number]

export const figuresQuery = (from: string | null, until: string) =>
  queryOptions({
    queryKey: siteKeys.figures(from, until),
    queryFn: ({ signal }) => fetchFigures(from, until, signal),
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME.steady,
    refetchInterval: EVERY,
  })
