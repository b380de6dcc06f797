import type { QueryClient } from '@tanstack/react-query'
import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { useTranslation } from '@/lib/i18n'
import { keeping, lazyOf } from '@/lib/lazy'
import type { PageKey, PageMatch } from '@/lib/pages'
import { AreaLayout } from './area-layout'

const apiDocs = keeping(() => import('@/features/documentation/api-docs-page'))
const votifierGuide = keeping(() => import('@/features/documentation/votifier-guide-page'))

const ApiDocsPage = lazyOf(apiDocs, (module) => module.ApiDocsPage)
const VotifierGuidePage = lazyOf(votifierGuide, (module) => module.VotifierGuidePage)

const GUIDES = ['apiDocs', 'votifierGuide'] as const
const LEGAL = ['terms', 'termsOfSale', 'privacy'] as const

/** The code of a page, which is fetched by itself. */
export async function preloadRows(_queries: QueryClient, { key }: PageMatch): Promise<void> {
  if (key === 'apiDocs') await apiDocs()
  if (key === 'votifierGuide') await votifierGuide()
}

/** What is to be read. */
export function DocsArea({ match: { key } }: { match: PageMatch }) {
  const { t } = useTranslation('areas')
  const groups = [
    { title: t('docs.groups.guides'), pages: GUIDES },
    { title: t('docs.groups.legal'), pages: LEGAL },
  ]
  return (
    <AreaLayout label={t('docs.nav')} current={key} groups={groups}>
      <DocsPage page={key} />
    </AreaLayout>
  )
}

function DocsPage({ page }: { page: PageKey }) {
  if (page === 'apiDocs') return <ApiDocsPage />
  if (page === 'votifierGuide') return <VotifierGuidePage />
  return <ComingSoonPage page={page} />
}
