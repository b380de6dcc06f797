import { linePath, scaleOf } from './geometry'
import styles from './sparkline.module.css'

interface SparklineProps {
  /** An accessible name with the important figures; the line itself is not read aloud. */
  label: string
  values: readonly number[]
  /** Whether a falling line is shown as bad and a rising one as good, or neither. */
  tone?: 'plain' | 'good' | 'bad'
}

/** A small line chart beside a figure, without axes. */
export function Sparkline({ label, values, tone = 'plain' }: SparklineProps) {
  // The scale is relative: the lowest value is at the bottom, a single value is a line in the
  // middle.
  const points = values.length === 1 ? [...values, ...values] : values
  const least = Math.min(...points)
  const span = Math.max(...points) - least
  const path = linePath(
    points.map((value) => (span === 0 ? 1 : value - least)),
    scaleOf(points.length, span === 0 ? 2 : span, false),
  )
  return (
    <svg
      className={styles.sparkline}
      data-tone={tone}
      viewBox="0 -6 100 112"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path} />
    </svg>
  )
}
