import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { publicData } from '@/lib/public-data'
import { keys } from '@/lib/query-keys'
import { siteToday } from '@/lib/site-day'
import type { ArcadeSpot } from '../model/arcade'

/** Spots that are shown today or later, earliest first. */
export const arcadeSpotsQuery = () =>
  queryOptions({ queryKey: keys.arcadeSpots.shown, queryFn: fetchArcadeSpots, staleTime: 60_000 })

async function fetchArcadeSpots({ signal }: { signal: AbortSignal }): Promise<ArcadeSpot[]> {
  return unwrap(
    await publicData
      .from('arcade_spots')
      .select(
        'id,position,start_date,end_date,image_url,website_url,status,servers(name,...server_standings(monthly_votes),games(name))',
      )
      .in('status', ['active', 'suspended', 'paid'])
      .gte('end_date', siteToday())
      .order('start_date')
      .abortSignal(signal),
  )
}
