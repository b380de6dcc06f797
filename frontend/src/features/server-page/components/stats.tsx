import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { formatDate, formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ServerDetail } from '../api/server'
import { statsQuery } from '../api/stats'
import { Panel } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import styles from './stats.module.css'

/** Live figures; until the first response the page's own figures are shown. */
export function Stats({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const stats = useQuery(statsQuery(server.id))
  const number = (value: number): string => formatNumber(value, language)
  const figures = stats.data ?? server
  const clicks = stats.data?.total_clicks ?? server.clicks
  const today = stats.data?.votes_today ?? server.daily_votes
  return (
    <Panel variant="above" title={t('stats.title')}>
      {stats.isError && (
        <PanelFailure text={t('stats.failed')} busy={stats.isFetching} onRetry={() => void stats.refetch()} />
      )}
      <dl className={styles.grid} aria-busy={stats.isPending}>
        <Figure label={t('stats.rank')} value={t('stats.place', { rank: number(figures.rank) })} />
        <Figure label={t('stats.today')} value={number(today)} />
        <Figure label={t('stats.total')} value={number(figures.total_votes)} />
        <Figure label={t('stats.clicks')} value={number(clicks)} />
        <Figure small label={t('stats.added')} value={formatDate(server.created_at, language)} />
      </dl>
    </Panel>
  )
}

function Figure({ label, value, small = false }: { label: string; value: ReactNode; small?: boolean }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className={small ? styles.small : undefined}>{value}</dd>
    </div>
  )
}
