import { queryOptions } from '@tanstack/react-query'
import { arcadeKeys } from '@/entities/arcade/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { ArcadeSpot } from '../model/arcade'

/** Spots that are shown today or later, and some of the day before; earliest first. */
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
      // The database's own yesterday is over everywhere on earth; which day it is here is for whoever draws them. A date
      // would make the question another one every day, which nobody could answer ahead.
      .gte('end_date', 'yesterday')
      .order('start_date')
      .abortSignal(signal),
  )
}
