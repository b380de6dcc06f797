import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Panel } from '@/components/ui/panel'
import { formatNumber } from '@/lib/i18n/format'
import { formatMonth } from '@/lib/i18n/format-month'
import { useLanguage } from '@/lib/i18n/use-language'
import { monthsQuery } from '../api/months'
import styles from './months.module.css'

/**
 * The results of the last months, one a line. Renders nothing if there are none or they cannot be
 * read.
 */
export function Months({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const { data: months = [] } = useQuery(monthsQuery(serverId))
  if (months.length === 0) return null
  return (
    <Panel variant="boxed" title={t('months.title')}>
      <dl className={styles.months}>
        {months.map(({ month, votes, rank }) => (
          <div key={month} className={styles.month}>
            <dt>{formatMonth(month, language)}</dt>
            <dd>
              {rank !== null && <strong>{t('stats.place', { rank: formatNumber(rank, language) })}</strong>}
              <span>{t('months.votes', { count: votes, formatted: formatNumber(votes, language) })}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
