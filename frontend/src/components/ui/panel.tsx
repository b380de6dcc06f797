import { useId, type ReactNode } from 'react'
import { classes } from '@/components/ui/classes'
import { Skeleton } from '@/components/ui/skeleton'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './panel.module.css'

interface PanelProps {
  title: ReactNode
  /** What this section is for. */
  intro?: ReactNode
  /** Actions on the whole section; shown at its end. */
  actions?: ReactNode
  tone?: 'plain' | 'danger'
  /** Whether the heading stands beside the box, as among settings, above it, or inside. */
  variant?: 'beside' | 'above' | 'boxed'
  /** Shown at the end of the heading's line. */
  aside?: ReactNode
  id?: string
  children: ReactNode
}

/** A section of a page under its heading. */
export function Panel({ title, intro, actions, tone = 'plain', variant = 'beside', aside, id, children }: PanelProps) {
  const heading = useId()
  return (
    <section id={id} aria-labelledby={heading} className={classes(styles[variant], tone === 'danger' && styles.danger)}>
      <div className={styles.head}>
        <h2 id={heading} className={styles.title}>
          {title}
        </h2>
        {aside}
        {intro && <p className={styles.intro}>{intro}</p>}
      </div>
      <div className={variant === 'beside' ? styles.box : styles.bare}>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </section>
  )
}

/** Placeholders for rows. */
export function PanelLoading({ rows = 2 }: { rows?: number }) {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.list} role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.row}>
          <Skeleton width="2.5rem" height="2.5rem" radius="var(--radius-md)" />
          <div className={styles.text}>
            <Skeleton width="45%" height="1rem" />
            <Skeleton width="70%" height="0.875rem" />
          </div>
        </div>
      ))}
    </div>
  )
}

interface PanelEmptyProps {
  icon?: ReactNode
  children: ReactNode
  action?: ReactNode
  /** Whether a frame shows where the rows would be, as it does on the page itself. */
  framed?: boolean
}

/** Why a section is empty, and what can be done about it. */
export function PanelEmpty({ icon, children, action, framed = false }: PanelEmptyProps) {
  return (
    <div className={classes(styles.empty, framed && styles.vacant)}>
      {icon}
      <p>{children}</p>
      {action}
    </div>
  )
}

export function PanelList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

interface PanelRowProps {
  icon: ReactNode
  title: ReactNode
  badge?: ReactNode
  details?: ReactNode
  /** Rarely used links, on a line of their own. */
  links?: ReactNode
  action?: ReactNode
}

export function PanelRow({ icon, title, badge, details, links, action }: PanelRowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.icon}>{icon}</span>
      <div className={styles.text}>
        <p className={styles.name}>
          <span>{title}</span>
          {badge}
        </p>
        {details && <p className={styles.details}>{details}</p>}
        {links && <div className={styles.links}>{links}</div>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </li>
  )
}

/** Short facts on one line, which wraps between facts only. */
export function Facts({ facts }: { facts: readonly (string | null | undefined)[] }) {
  return (
    <span className={styles.facts}>
      {facts.filter(Boolean).map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  )
}
