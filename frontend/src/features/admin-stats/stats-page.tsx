/** Figures of the whole site, day by day. */
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { ChartLoading } from '@/components/charts/chart-loading'
import { RangeSwitch } from '@/components/charts/range-switch'
import { RANGES, firstDayOf, type Range } from '@/components/charts/ranges'
import { QueryStates } from '@/components/query/query-states'
import { PageHeader } from '@/components/ui/page-header'
import { PanelEmpty } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import { siteToday } from '@/lib/time/site-day'
import { figuresQuery } from './api/figures'
import { Charts } from './components/charts'
import { figuresOf } from './model/figures'
import styles from './admin-stats.module.css'

const USUAL: Range = '30'

export function StatsPage() {
  const { t } = useTranslation(['admin-stats', 'leads', 'pages'])
  const [params, setParams] = useSearchParams()
  const range = RANGES.find((known) => known === params.get('range')) ?? USUAL
  const today = siteToday()
  const rows = useQuery(figuresQuery(firstDayOf(range, today), today))
  const choose = (next: Range): void => setParams(next === USUAL ? {} : { range: next }, { replace: true })
  return (
    <div className={styles.page} aria-busy={rows.isPlaceholderData}>
      <PageHeader
        title={t('pages:adminStats')}
        description={t('leads:adminStats')}
        actions={<RangeSwitch value={range} onValueChange={choose} />}
      />
      <QueryStates
        query={rows}
        loading={<ChartLoading />}
        failed={t('admin-stats:failed')}
        empty={<PanelEmpty>{t('admin-stats:empty')}</PanelEmpty>}
      >
        {(found) => {
          const figures = figuresOf(found)
          return figures && <Charts figures={figures} />
        }}
      </QueryStates>
    </div>
  )
}
