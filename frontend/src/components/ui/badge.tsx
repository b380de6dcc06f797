import type { ReactNode } from 'react'
import { classes } from './classes'
import { Icon, type IconName } from './icon'
import styles from './badge.module.css'

interface BadgeProps {
  tone?: 'plain' | 'gold' | 'accent' | 'online' | 'danger'
  icon?: IconName
  children: ReactNode
}

/** A short fact about the thing beside it. Gold marks what is won or paid. */
export function Badge({ tone = 'plain', icon, children }: BadgeProps) {
  return (
    <span className={classes(styles.badge, tone !== 'plain' && styles[tone])}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  )
}

const STATUS_TONE = { good: 'online', waiting: 'gold', bad: 'danger', off: 'plain' } as const

/** A state: a dot and a word, so that color is never the only sign. */
export function StatusBadge({ status, children }: { status: keyof typeof STATUS_TONE; children: ReactNode }) {
  return (
    <span className={classes(styles.badge, styles.status, status !== 'off' && styles[STATUS_TONE[status]])}>
      {children}
    </span>
  )
}

/**
 * A tag; its color is chosen by the owner and only fills a dot, so that the text stays readable.
 */
export function TagChip({ color, children }: { color?: string | null; children: ReactNode }) {
  return (
    <span className={classes(styles.badge, styles.tag)}>
      {color && <span className={styles.swatch} style={{ background: color }} />}
      <span className={styles.words}>{children}</span>
    </span>
  )
}
