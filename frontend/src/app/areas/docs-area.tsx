import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { useTranslation } from '@/lib/i18n'
import type { PageMatch } from '@/lib/pages'
import { AreaLayout } from './area-layout'

const GUIDES = ['apiDocs', 'votifierGuide'] as const
const LEGAL = ['terms', 'termsOfSale', 'privacy'] as const

/** What is to be read. */
export function DocsArea({ match: { key } }: { match: PageMatch }) {
  const { t } = useTranslation('areas')
  const groups = [
    { title: t('docs.groups.guides'), pages: GUIDES },
    { title: t('docs.groups.legal'), pages: LEGAL },
  ]
  return (
    <AreaLayout label={t('docs.nav')} current={key} groups={groups}>
      <ComingSoonPage page={key} />
    </AreaLayout>
  )
}
