/**
 * Taken days, including those held for an open payment; and the release of days whose payment was
 * abandoned.
 */
import { queryOptions } from '@tanstack/react-query'
import { arcadeKeys } from '@/entities/arcade/keys'
import { unwrap } from '@/lib/api/errors'
import { publicFunctions } from '@/lib/api/functions'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

export const takenQuery = () =>
  queryOptions({
    queryKey: arcadeKeys.taken,
    queryFn: async ({ signal }) => {
      const rows = unwrap(
        await supabase
          .from('arcade_days_taken')
          .select('position, start_date, end_date')
          .order('start_date')
          .abortSignal(signal),
      )
      return rows.flatMap(({ position, start_date: from, end_date: to }) =>
        position === null || from === null || to === null ? [] : [{ position, from, to }],
      )
    },
    staleTime: STALE_TIME.moving,
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
  })

const EVERY = 120_000

/** The number of released days; a job of the site does the same, so a failure is not shown. */
export const cleanupQuery = () =>
  queryOptions({
    queryKey: arcadeKeys.cleanup,
    queryFn: async ({ signal, client }): Promise<number> => {
      const name = 'cleanup-pending-arcade-spots'
      const { data } = await publicFunctions.invoke<{ released?: number }>(name, { body: {}, signal })
      const released = data?.released ?? 0
      if (released > 0) void client.refetchQueries({ queryKey: arcadeKeys.taken })
      return released
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: EVERY,
  })
