import { Sections } from '@/components/ui/crash-boundary'
import { ArcadeSpots } from './arcade-spots'
import { CompetitiveBanner } from './competitive-banner'

/** What stands around the ranking: the event that is on, and what is advertised. */
export function Offers({ ready, dailyPrice }: { ready: boolean; dailyPrice: number | null }) {
  return (
    <Sections>
      <CompetitiveBanner ready={ready} />
      <ArcadeSpots ready={ready} dailyPrice={dailyPrice} />
    </Sections>
  )
}
