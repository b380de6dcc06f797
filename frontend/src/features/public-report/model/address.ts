import { pageAt } from '@/lib/routing/paths'

/** The slug or id of the server whose page an address is, with or without the site before it; null for any other. */
export function serverAt(address: string): string | null {
  if (!URL.canParse(address.trim(), window.location.origin)) return null
  const { pathname } = new URL(address.trim(), window.location.origin)
  const page = pageAt(pathname)
  return page !== null && (page.key === 'server' || page.key === 'serverById') ? (page.params.slug ?? null) : null
}
