import registry from '@/lib/pages.json'

/** Pages that an error can be reported of: those of the registry, and where no page is. */
export const REPORTED_PAGES: readonly string[] = ['missing', ...Object.keys(registry)]
