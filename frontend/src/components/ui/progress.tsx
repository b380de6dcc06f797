import { classes } from './classes'
import styles from './progress.module.css'

interface ProgressProps {
  label: string
  /** From 0 to `max`; null if the duration is unknown. */
  value: number | null
  max?: number
  tone?: 'accent' | 'gold'
  /** The value in words; read aloud instead of a percentage. */
  text?: string
}

/** A progress bar. */
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
