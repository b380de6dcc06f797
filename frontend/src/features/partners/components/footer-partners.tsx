import { Near } from '@/components/ui/near'
import { lazyComponent } from '@/lib/browser/lazy'

const PartnerLinks = lazyComponent(async () => (await import('./partner-links')).PartnerLinks)

/** Friendly sites, asked for when somebody comes near the foot of the page. */
export function FooterPartners() {
  return (
    <Near>
      <PartnerLinks />
    </Near>
  )
}
