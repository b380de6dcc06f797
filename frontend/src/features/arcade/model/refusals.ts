import { ORDER_REFUSALS } from '@/components/checkout/order-words'
import { COPY_REFUSALS } from '@/entities/image/queries'
import type { Refusals } from '@/lib/i18n/refusal'

/** Refusals of a booking. If the provider is unreachable, the days stay held. */
export const BOOKING_REFUSALS: Refusals = {
  ...ORDER_REFUSALS,
  ...COPY_REFUSALS,
  position_missing: 'arcade:missing.position',
  dates_missing: 'arcade:missing.days',
  dates_refused: 'arcade:refusal.dates',
  days_taken: 'arcade:refusal.taken',
  image_missing: 'arcade:missing.picture',
  website_refused: 'arcade:refusal.website',
  provider_unavailable: 'arcade:refusal.provider',
  provider_refused: 'arcade:refusal.provider',
}
