import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { classes } from '@/components/ui/classes'
import { Icon, type IconName } from '@/components/ui/icon'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { overviewQuery } from '../api/overview'
import { addressOfWaits, WAITS, type Overview, type QueueKind } from '../model/overview'
import { FailureNotices, AnomalyNotices } from './notices'
import styles from './work-queue.module.css'

const ICONS = {
  report: 'flag',
  appeal: 'shield',
  server: 'server',
  edit: 'edit',
  review: 'star',
  proposal: 'tag',
  payment: 'warning',
} as const satisfies Record<QueueKind, IconName>

/** The first section of the administration: pending tasks, failures and today's anomalies. */
export function WorkQueue() {
  const { t } = useTranslation('admin-overview')
  const overview = useQuery(overviewQuery())
  return (
    <QueryStates query={overview} loading={<Skeleton width="100%" height="14rem" />} failed={t('failed')}>
      {(data) => (
        <div className={styles.desk}>
          <QueueTiles waits={data.waits} />
          <div className={styles.notices}>
            <FailureNotices failures={data.fails} />
            <AnomalyNotices anomalies={data.odd} />
          </div>
        </div>
      )}
    </QueryStates>
  )
}

function QueueTiles({ waits }: { waits: Overview['waits'] }) {
  const { t } = useTranslation('admin-overview')
  const language = useLanguage()
  return (
    <section aria-labelledby="desk-waits">
      <h2 id="desk-waits" className={styles.title}>
        {t('waits.title')}
      </h2>
      <ul className={styles.tiles}>
        {WAITS.map((kind) => {
          const { amount, since } = waits[kind]
          return (
            <li key={kind} className={classes(styles.tile, amount > 0 && styles.waiting)}>
              <span className={styles.amount}>{formatNumber(amount, language)}</span>
              <span className={styles.icon}>
                <Icon name={ICONS[kind]} size={18} />
              </span>
              <Link to={addressOfWaits(kind, language)} className={styles.link}>
                {t(`waits.${kind}`)}
              </Link>
              <span className={styles.since}>
                {since === null ? t('waits.nothing') : t('waits.since', { when: formatRelative(since, language) })}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
