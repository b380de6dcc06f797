import { classes } from './classes'
import styles from './progress.module.css'

interface ProgressProps {
  label: string
  /** From 0 to `max`; null while nobody knows how long it takes. */
  value: number | null
  max?: number
  tone?: 'accent' | 'gold'
  /** How much it is, in words; read aloud instead of a share of a hundred. */
  text?: string
}

/** How far something is. */
export function Progress({ label, value, max = 100, tone = 'accent', text }: ProgressProps) {
  return (
    <progress
      className={classes(styles.bar, styles[tone])}
      aria-label={label}
      aria-valuetext={text}
      max={max}
      value={value === null ? undefined : Math.min(max, Math.max(0, value))}
    />
  )
}
