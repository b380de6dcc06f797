/**
 * Texts for the refusals of an order, from the namespace `checkout`, which the calling page must
 * have loaded.
 */
import type { Refusals } from '@/lib/i18n/refusal'

/** By code. */
export const ORDER_REFUSALS: Refusals = {
  provider_unavailable: 'checkout:order.providerDown',
  provider_refused: 'checkout:order.providerDown',
  payments_off: 'checkout:order.off',
  not_owner: 'checkout:order.notOwner',
  open_payments: 'checkout:order.tooManyOpen',
  no_price: 'checkout:order.noPrice',
}
