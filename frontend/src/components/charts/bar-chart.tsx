/** Import lazily. */
import { formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { ChartFrame } from './chart-frame'
import type { ChartProps, Series } from './types'
import styles from './chart.module.css'

interface BarChartProps extends Omit<ChartProps, 'series'> {
  series: Series
  /** The last day is not over: its bar is a part of what it will be. */
  ongoing?: boolean
}

/** Up to so many bars each bear their figure. */
const FEW = 10

/** One figure a day, each day by itself. */
export function BarChart({ series, ongoing = false, ...props }: BarChartProps) {
  const language = useLanguage()
  const { days, format } = props
  const write = format ?? ((value: number) => formatNumber(value, language))
  const isFew = days.length <= FEW
  return (
    <ChartFrame {...props} series={[series]} slots told={isFew} ongoing={ongoing}>
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
