/** Import lazily. */
import { formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { ChartFrame } from './chart-frame'
import type { ChartProps, Series } from './types'
import styles from './chart.module.css'

interface BarChartProps extends Omit<ChartProps, 'series'> {
  series: Series
  /** The last day is not over: its bar shows an incomplete count. */
  ongoing?: boolean
}

/** With up to so many bars, each has its figure above it. */
const FEW = 10

/** A bar chart with one figure for each day. */
export function BarChart({ series, ongoing = false, ...props }: BarChartProps) {
  const language = useLanguage()
  const { days, format } = props
  const write = format ?? ((value: number) => formatNumber(value, language))
  const isFew = days.length <= FEW
  return (
    <ChartFrame {...props} series={[series]} slots hasLabels={isFew} ongoing={ongoing}>
      {({ x, y }, pointed) =>
        days.map((day, index) => {
          const value = series.values[index] ?? 0
          return (
            <div
              key={day}
              className={styles.bar}
              data-series={0}
              data-part={(ongoing && index === days.length - 1) || undefined}
              data-pointed={index === pointed || undefined}
              style={{ left: `${x(index)}%`, top: `${y(value)}%`, width: `${62 / days.length}%` }}
            >
              {isFew && <span aria-hidden="true">{write(value)}</span>}
            </div>
          )
        })
      }
    </ChartFrame>
  )
}
