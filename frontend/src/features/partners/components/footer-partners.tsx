import { Suspense, useRef } from 'react'
import { lazyNamed } from '@/lib/lazy'
import { useNear } from '@/lib/use-near'

const PartnerLinks = lazyNamed(async () => (await import('./partner-links')).PartnerLinks)

/** Friendly sites, asked for when somebody comes near the foot of the page. */
export function FooterPartners() {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNear(place)
  return (
    <div ref={place}>
      {isNear && (
        <Suspense>
          <PartnerLinks />
        </Suspense>
      )}
    </div>
  )
}
