/** Import lazily. */
import { ChartFrame } from './chart-frame'
import type { ChartProps } from './types'
import { linePath } from './geometry'
import styles from './chart.module.css'

/** A line chart of several figures over the days. */
export function LineChart(props: ChartProps) {
  const { series, days } = props
  return (
    <ChartFrame {...props}>
      {({ x, y }, pointed) => (
        <>
          <svg className={styles.drawing} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {series.map(({ name, values }, index) => {
              const path = linePath(values, { x, y })
              return (
                <g key={name} data-series={index}>
                  {series.length === 1 && !values.includes(null) && (
                    <path className={styles.ground} d={`${path}L${x(days.length - 1)} 100L${x(0)} 100Z`} />
                  )}
                  <path className={styles.stroke} d={path} />
                </g>
              )
            })}
          </svg>
          {pointed !== null && <i className={styles.cursor} style={{ left: `${x(pointed)}%` }} />}
          {series.map(({ name, values }, index) => {
            // A single day would be a line without length, so its point is shown.
            const shownIndex = pointed ?? (days.length === 1 ? 0 : null)
            const value = shownIndex === null ? null : (values[shownIndex] ?? null)
            if (shownIndex === null || value === null) return null
            const place = { left: `${x(shownIndex)}%`, top: `${y(value)}%` }
            return <i key={name} className={styles.dot} data-series={index} style={place} />
          })}
        </>
      )}
    </ChartFrame>
  )
}
