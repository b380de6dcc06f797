import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'
import { StateMessage } from '@/components/ui/state-message'
import { TabLinks } from '@/components/ui/tab-links'
import { formatDate, formatNumber, formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { auditQuery } from './api/audit'
import { StateBadge } from './components/findings'
import { KindRow, Outcome } from './components/kind-row'
import { FILTERS, filterOf, isShown, stateOf, type Audit, type Filter, type Verdict } from './model/audit'
import styles from './components/audit.module.css'

/** The server's audit of each kind of page; the filter is part of the address. */
export function SeoAuditPage() {
  const { t } = useTranslation('seo-audit')
  const audit = useQuery(auditQuery())
  return (
    <div className={styles.body}>
      <PageHeader title={t('title')} description={t('lead')} />
      <QueryStates query={audit} loading={<Loading />} failed={t('failed')}>
        {(made) => <AuditDate audit={made} />}
      </QueryStates>
    </div>
  )
}

const COUNTS = ['errors', 'warnings', 'fine', 'pages'] as const
const COUNT_ICONS = { errors: 'close', warnings: 'warning', fine: 'check', pages: 'globe' } as const

function AuditDate({ audit }: { audit: Audit }) {
  const { t } = useTranslation('seo-audit')
  const language = useLanguage()
  const filter = filterOf(useSearchParams()[0])
  const moment = `${formatDate(audit.madeAt, language)}, ${formatTime(audit.madeAt, language)}`
  return (
    <>
      <StatTiles>
        {COUNTS.map((count) => (
          <StatTile
            key={count}
            icon={COUNT_ICONS[count]}
            label={t(`counts.${count}`)}
            value={formatNumber(audit.counts[count], language)}
          />
        ))}
      </StatTiles>
      <TabLinks
        label={t('filter.label')}
        tabs={FILTERS.map((one) => ({ to: address(language, one), label: t(`filter.${one}`), open: one === filter }))}
      />
      <AuditResults audit={audit} filter={filter} />
      <p className={styles.made}>{t('madeAt', { moment })}</p>
    </>
  )
}

function address(language: Parameters<typeof paths.seoAudit>[0], filter: Filter): string {
  const page = paths.seoAudit(language)
  return filter === 'all' ? page : `${page}?show=${filter}`
}

function AuditResults({ audit, filter }: { audit: Audit; filter: Filter }) {
  const { t } = useTranslation('seo-audit')
  const kinds = audit.kinds.filter(({ pages }) => isShown(pages, filter))
  const hasSite = isShown([audit.site], filter)
  if (kinds.length === 0 && !hasSite) return <NoAudit />
  return (
    <>
      {hasSite && <Site verdict={audit.site} filter={filter} />}
      {kinds.length > 0 && (
        <section aria-label={t('list')} className={styles.kinds}>
          {kinds.map((kind) => (
            <KindRow key={kind.kind} {...kind} filter={filter} />
          ))}
        </section>
      )}
    </>
  )
}

function Site({ verdict, filter }: { verdict: Verdict; filter: Filter }) {
  const { t } = useTranslation('seo-audit')
  return (
    <section className={styles.site}>
      <div className={styles.siteHead}>
        <h2>{t('site')}</h2>
        <StateBadge state={stateOf(verdict)} />
      </div>
      <Outcome verdict={verdict} filter={filter} />
    </section>
  )
}

function NoAudit() {
  const { t } = useTranslation('seo-audit')
  return (
    <StateMessage
      drawing="empty"
      heading="h2"
      title={t('empty.title')}
      actions={<ButtonLink to={paths.seoAudit(useLanguage())}>{t('empty.all')}</ButtonLink>}
    >
      {t('empty.text')}
    </StateMessage>
  )
}

/** The first request waits until the server has read the pages. */
function Loading() {
  const { t } = useTranslation('seo-audit')
  return (
    <div className={styles.body} role="status">
      <p>{t('loading')}</p>
      <Skeleton height="5rem" radius="var(--radius-lg)" />
      <Skeleton height="24rem" radius="var(--radius-lg)" />
    </div>
  )
}
