import { useQuery, type QueryClient } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { siteSettingsQuery } from '@/entities/setting/queries'
import { useTranslation } from '@/lib/i18n'
import { keeping, lazyOf } from '@/lib/lazy'
import type { PageKey, PageMatch } from '@/lib/pages'
import { AreaLayout } from './area-layout'

const apiDocs = keeping(() => import('@/features/documentation/api-docs-page'))
const votifierGuide = keeping(() => import('@/features/documentation/votifier-guide-page'))
const howRanking = keeping(() => import('@/features/documentation/how-ranking-page'))
const seoAudit = keeping(() => import('@/features/seo-audit/seo-audit-page'))
const legal = keeping(() => import('@/features/documentation/legal-page'))

const ApiDocsPage = lazyOf(apiDocs, (module) => module.ApiDocsPage)
const VotifierGuidePage = lazyOf(votifierGuide, (module) => module.VotifierGuidePage)
const HowRankingPage = lazyOf(howRanking, (module) => module.HowRankingPage)
const SeoAuditPage = lazyOf(seoAudit, (module) => module.SeoAuditPage)
const LegalPage = lazyOf(legal, (module) => module.LegalPage)

const GUIDES = ['howRanking', 'apiDocs', 'votifierGuide'] as const
const LEGAL = ['terms', 'termsOfSale', 'privacy'] as const

type LegalKey = (typeof LEGAL)[number]

const isLegal = (key: PageKey): key is LegalKey => LEGAL.some((legalKey) => legalKey === key)

/** The code of a page, which is fetched by itself, and the particulars that legal ones name. */
export async function preloadRows(queries: QueryClient, { key }: PageMatch): Promise<void> {
  if (key === 'apiDocs') await apiDocs()
  if (key === 'votifierGuide') await votifierGuide()
  if (key === 'howRanking') await howRanking()
  if (key === 'seoAudit') await seoAudit()
  if (isLegal(key)) await Promise.all([legal(), queries.prefetchQuery(siteSettingsQuery())])
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
  if (page === 'howRanking') return <HowRankingPage />
  if (isLegal(page)) return <Legal page={page} />
  return <SeoAuditPage />
}

function Legal({ page }: { page: LegalKey }) {
  const { t } = useTranslation('areas')
  const settings = useQuery(siteSettingsQuery())
  return (
    <QueryStates query={settings} loading={null} failed={t('docs.unread')}>
      {(known) => <LegalPage page={page} settings={known} />}
    </QueryStates>
  )
}
