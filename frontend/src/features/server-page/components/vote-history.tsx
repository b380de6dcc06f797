import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import { voteHistoryQuery } from '../api/vote-history'
import { Panel, PanelFailure } from '@/components/ui/panel'
import { VoteChart } from './vote-chart'
import styles from './vote-chart.module.css'

/** Votes of the last seven days as bars, with the same figures in a table. */
export function VoteHistory({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const history = useQuery(voteHistoryQuery(serverId))
  const sum = history.data?.reduce((all, day) => all + day.vote_count, 0)
  const aside = sum ? (
    <p className={styles.sum}>{t('history.sum', { count: sum, formatted: formatNumber(sum, language) })}</p>
  ) : null
  return (
    <Panel look="above" title={t('history.title')} aside={aside}>
      {history.isError && history.data === undefined ? (
        <PanelFailure text={t('history.failed')} busy={history.isFetching} onRetry={() => void history.refetch()} />
      ) : history.data === undefined ? (
        <Skeleton height="14rem" radius="var(--radius-lg)" />
      ) : sum === 0 ? (
        <p className={styles.empty}>{t('history.empty')}</p>
      ) : (
        <VoteChart days={history.data} />
      )}
    </Panel>
  )
}
