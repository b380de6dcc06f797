import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { useTranslation } from '@/lib/i18n'
import type { PageMatch } from '@/lib/pages'
import { AreaNav } from './area-nav'

const GROUPS = [{ pages: ['apiDocs', 'votifierGuide', 'terms', 'termsOfSale', 'privacy'] }] as const

/** What is to be read. */
export function DocsArea({ match: { key } }: { match: PageMatch }) {
  const { t } = useTranslation('areas')
  return (
    <>
      <AreaNav label={t('docs.nav')} groups={GROUPS} />
      <ComingSoonPage page={key} />
    </>
  )
}
