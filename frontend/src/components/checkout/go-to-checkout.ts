import { ApiError } from '@/lib/api/errors'

/** Opens the provider's page in this tab or, where the browser allows it, in a new one. */
export function goToCheckout(url: string, where: 'here' | 'beside' = 'here'): void {
  if (!/^https?:$/.test(new URL(url, window.location.href).protocol))
    throw new ApiError('unknown', 'The address of the checkout is none', 0)
  const tab = where === 'beside' ? window.open(url, '_blank') : null
  if (tab === null) window.location.assign(url)
  else tab.opener = null
}
