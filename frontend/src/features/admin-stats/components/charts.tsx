import { Suspense } from 'react'
import { ChartLoading } from '@/components/charts/chart-loading'
import { Panel } from '@/components/ui/panel'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'
import { formatNumber, formatTime } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Figures } from '../model/figures'
import { Reasons } from './reasons'
import styles from '../admin-stats.module.css'

const LineChart = lazyComponent(async () => (await import('@/components/charts/line-chart')).LineChart)

const CURRENCY = 'eur'

/** Each chart and the figures that it compares. */
const DRAWINGS = [
  { title: 'votes', lines: ['votes'] },
  { title: 'refused', lines: ['refused', 'voided'] },
  { title: 'arrivals', lines: ['accounts', 'servers'] },
  { title: 'deliveries', lines: ['delivered', 'undelivered'] },
  { title: 'money', lines: ['taken', 'returned'] },
] as const

/** The totals of the chosen days, and a chart of each figure. */
export function Charts({ figures }: { figures: Figures }) {
  const { t } = useTranslation('admin-stats')
  const language = useLanguage()
  const money = (cents: number): string => formatAmount(cents, CURRENCY, language)
  const sum = (figure: string): string => formatNumber(figures.totalOf(figure), language)
  return (
    <>
      <StatTiles>
        <StatTile
          label={t('figure.votes')}
          value={sum('votes')}
          note={t('sum.refused', { formatted: sum('refused') })}
        />
        <StatTile label={t('figure.accounts')} value={sum('accounts')} />
        <StatTile label={t('figure.servers')} value={sum('servers')} />
        <StatTile
          label={t('figure.taken')}
          value={money(figures.totalOf('taken'))}
          note={t('sum.returned', { amount: money(figures.totalOf('returned')) })}
        />
        <StatTile
          label={t('figure.delivered')}
          value={sum('delivered')}
          note={t('sum.undelivered', { formatted: sum('undelivered') })}
        />
      </StatTiles>
      <div className={styles.panels}>
        {DRAWINGS.map(({ title, lines }) => (
          <Panel key={title} variant="above" title={t(`drawing.${title}`)}>
            <Suspense fallback={<ChartLoading />}>
              <LineChart
                label={t(`drawing.${title}`)}
                days={figures.days}
                series={lines.map((line) => ({ name: t(`figure.${line}`), values: figures.valuesOf(line) }))}
                {...(title === 'money' && { format: money })}
              />
            </Suspense>
          </Panel>
        ))}
        <Reasons reasons={figures.reasons} />
      </div>
      <p className={styles.note}>{t('counted', { time: formatTime(figures.countedAt, language) })}</p>
    </>
  )
}
