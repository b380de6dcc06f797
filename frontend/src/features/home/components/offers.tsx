import { Sections } from '@/components/ui/crash-boundary'
import { ArcadeSpots } from './arcade-spots'
import { CompetitiveBanner } from './competitive-banner'

/** The running event and the Arcade spots. */
export function Offers({ ready, dailyPrice }: { ready: boolean; dailyPrice: number | null }) {
  return (
    <Sections>
      <CompetitiveBanner ready={ready} />
      <ArcadeSpots ready={ready} dailyPrice={dailyPrice} />
    </Sections>
  )
}
