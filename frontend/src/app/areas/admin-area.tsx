import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Badge } from '@/components/ui/badge'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { waitingQuery } from '@/features/admin/api/waiting'
import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { formatNumber } from '@/lib/format'
import { useTranslation } from '@/lib/i18n'
import type { PageKey, PageMatch } from '@/lib/pages'
import { paths } from '@/lib/paths'
import { useDocumentHead } from '@/lib/use-document-head'
import { useLanguage } from '@/lib/use-language'
import { AreaNav, type LinkedPage } from './area-nav'
import styles from './admin-area.module.css'

const SECTIONS = {
  listings: ['adminServers', 'adminModeration', 'adminReports'],
  people: ['adminUsers', 'adminSecurity'],
  catalogue: ['adminTags', 'adminTagProposals', 'adminGames', 'adminEventTypes'],
  money: [
    'adminCompetitiveEvents',
    'adminArcadeSpots',
    'adminArcadePricing',
    'adminPrestigePricing',
    'adminPrestigePayments',
  ],
  site: ['adminStats', 'adminPartners', 'adminSettings'],
} as const satisfies Record<string, readonly LinkedPage[]>

const GROUPS = ['listings', 'people', 'catalogue', 'money', 'site'] as const

/** What those who run the site do: its sections beside the one that is open, and what waits in each. */
export function AdminArea({ match: { key } }: { match: PageMatch }) {
  const { t } = useTranslation(['areas', 'pages', 'seo'])
  useDocumentHead(key === 'admin' ? null : { title: `${t(`pages:${key}`)} | ${t('seo:admin.title')}`, indexed: false })
  const groups = GROUPS.map((group) => ({ title: t(`admin.groups.${group}`), pages: SECTIONS[group] }))
  return (
    <div className={styles.area}>
      <AreaNav side label={t('admin.nav')} groups={groups} aside={(page) => <Waiting page={page} />} />
      <div className={styles.content}>
        {key !== 'admin' && <Way page={key} />}
        <ComingSoonPage page={key} />
      </div>
    </div>
  )
}

/** How many reports or proposals nobody has looked at yet. */
function Waiting({ page }: { page: LinkedPage }) {
  const { t } = useTranslation('areas')
  const language = useLanguage()
  const { data } = useQuery(waitingQuery())
  const count = page === 'adminReports' ? data?.reports : page === 'adminTagProposals' ? data?.proposals : 0
  if (!count) return null
  const formatted = formatNumber(count, language)
  return (
    <Badge tone="accent">
      <span aria-hidden="true">{formatted}</span>
      <VisuallyHidden>{t('admin.waiting', { count, formatted })}</VisuallyHidden>
    </Badge>
  )
}

function Way({ page }: { page: PageKey }) {
  const { t } = useTranslation(['areas', 'pages'])
  return (
    <nav aria-label={t('admin.path')}>
      <ol className={styles.way}>
        <li>
          <Link to={paths.admin(useLanguage())}>{t('pages:admin')}</Link>
        </li>
        <li aria-current="page">{t(`pages:${page}`)}</li>
      </ol>
    </nav>
  )
}
