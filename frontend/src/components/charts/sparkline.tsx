import { linePath, scaleOf } from './geometry'
import styles from './sparkline.module.css'

interface SparklineProps {
  /** What it shows, with its figures in words where they matter; the line itself is not read aloud. */
  label: string
  values: readonly number[]
  /** Down is bad, up is good, or neither. */
  tone?: 'plain' | 'good' | 'bad'
}

/** How something went, at a glance, beside its figure. */
export function Sparkline({ label, values, tone = 'plain' }: SparklineProps) {
  // Only its way counts: the lowest value stands at the bottom, a single one is a line in the middle.
  const shown = values.length === 1 ? [...values, ...values] : values
  const least = Math.min(...shown)
  const span = Math.max(...shown) - least
  const path = linePath(
    shown.map((value) => (span === 0 ? 1 : value - least)),
    scaleOf(shown.length, span === 0 ? 2 : span, false),
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
