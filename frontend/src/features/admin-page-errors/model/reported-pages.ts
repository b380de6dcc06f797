import registry from '@/lib/pages.json'

/**
 * Pages for which an error can be reported: those of the registry, and `missing` for addresses
 * without a page.
 */
export const REPORTED_PAGES: readonly string[] = ['missing', ...Object.keys(registry)]
