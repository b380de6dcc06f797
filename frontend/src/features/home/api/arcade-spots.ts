import { queryOptions } from '@tanstack/react-query'
import { arcadeKeys } from '@/entities/arcade/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { ArcadeSpot } from '../model/arcade'

/** Spots of today and later, and some of the day before; earliest first. */
export const arcadeSpotsQuery = () =>
  queryOptions({ queryKey: arcadeKeys.shown, queryFn: fetchArcadeSpots, staleTime: STALE_TIME.steady })

async function fetchArcadeSpots({ signal }: { signal: AbortSignal }): Promise<ArcadeSpot[]> {
  return unwrap(
    await publicData
      .from('arcade_spots')
      .select(
        'id,position,start_date,end_date,image_url,website_url,status,servers(name,...server_standings(monthly_votes),games(name))',
      )
      .in('status', ['active', 'suspended', 'paid'])
      // A day before the database's yesterday is over in every time zone; the component that draws
      // them decides which day it is. A date would make the request differ every day, so that the
      // server could not write its answer into the page.
      .gte('end_date', 'yesterday')
      .order('start_date')
      .abortSignal(signal),
  )
}
