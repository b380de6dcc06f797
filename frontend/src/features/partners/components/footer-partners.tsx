import { Near } from '@/components/ui/near'
import { lazyComponent } from '@/lib/browser/lazy'

const PartnerLinks = lazyComponent(async () => (await import('./partner-links')).PartnerLinks)

/** Links to partners, loaded when the footer comes near the viewport. */
export function FooterPartners() {
  return (
    <Near>
      <PartnerLinks />
    </Near>
  )
}
