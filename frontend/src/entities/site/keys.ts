/** Cache keys for figures of the whole site. */
import { OWN } from '@/lib/query/own-rows'

export const siteKeys = {
  stats: ['stats'],
  /** Figures for administrators. */
  figures: (from: string | null, until: string) => ['site-figures', OWN, from, until] as const,
  /** The findings of the audit of the site's own pages. */
  seoAudit: ['seo-audit'],
} as const
