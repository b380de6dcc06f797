/** Keys of the cache for figures of the whole site. */
import { OWN } from '@/lib/query/own-rows'

export const siteKeys = {
  stats: ['stats'],
  /** As those who run the site read them. */
  figures: (from: string | null, until: string) => ['site-figures', OWN, from, until] as const,
  /** What the site found in its own pages. */
  seoAudit: ['seo-audit'],
} as const
