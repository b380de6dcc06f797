import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { ChartLoading } from '@/components/charts/chart-loading'
import { QueryStates } from '@/components/query/query-states'
import { Panel } from '@/components/ui/panel'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { useLanguage } from '@/lib/i18n/use-language'
import { voteHistoryQuery } from '../api/vote-history'
import styles from './vote-history.module.css'

const BarChart = lazyComponent(async () => (await import('@/components/charts/bar-chart')).BarChart)

/** Votes of the last seven days as bars. */
export function VoteHistory({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const history = useQuery(voteHistoryQuery(serverId))
  const sum = history.data?.reduce((all, day) => all + day.vote_count, 0)
  const aside = sum ? (
    <p className={styles.sum}>{t('history.sum', { count: sum, formatted: formatNumber(sum, language) })}</p>
  ) : null
  return (
    <Panel variant="above" title={t('history.title')} aside={aside}>
      <QueryStates query={history} loading={<ChartLoading />} failed={t('history.failed')}>
        {(days) => (
          <Suspense fallback={<ChartLoading />}>
            <BarChart
              label={t('history.title')}
              days={days.map((day) => day.vote_date)}
              series={{ name: t('history.votes'), values: days.map((day) => day.vote_count) }}
              empty={t('history.empty')}
              ongoing
            />
          </Suspense>
        )}
      </QueryStates>
    </Panel>
  )
}
