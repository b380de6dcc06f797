import { useQuery, type QueryClient } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { siteSettingsQuery } from '@/entities/setting/queries'
import { LegalPage as Page } from '@/features/documentation/legal-page'
import type { LegalKey } from '@/features/documentation/model/particulars'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PageKey, PageMatch } from '@/lib/routing/pages'

const LEGAL: Partial<Record<PageKey, LegalKey>> = { privacy: 'privacy', terms: 'terms', termsOfSale: 'termsOfSale' }

/** A legal text with the operator's particulars, which are settings of the site. */
export function LegalPage({ match: { key } }: { match: PageMatch }) {
  const { t } = useTranslation('areas')
  const settings = useQuery(siteSettingsQuery())
  return (
    <QueryStates query={settings} loading={null} failed={t('docs.unread')}>
      {(known) => <Page page={LEGAL[key] ?? 'terms'} settings={known} />}
    </QueryStates>
  )
}

export async function preloadRows(queries: QueryClient): Promise<void> {
  await queries.prefetchQuery(siteSettingsQuery())
}
