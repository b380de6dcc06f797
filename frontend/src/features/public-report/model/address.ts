import { pageAt } from '@/lib/routing/paths'

/**
 * The slug or id of the server in the address of its page, absolute or relative; null for any other
 * address.
 */
export function serverAt(address: string): string | null {
  if (!URL.canParse(address.trim(), window.location.origin)) return null
  const { pathname } = new URL(address.trim(), window.location.origin)
  const page = pageAt(pathname)
  return page !== null && (page.key === 'server' || page.key === 'serverById') ? (page.params.slug ?? null) : null
}
