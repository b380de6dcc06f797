import type { ReactNode } from 'react'
import { Badge } from './badge'
import { classes } from './classes'
import { Drawing, type DrawingName } from './drawing'
import styles from './state-message.module.css'

interface StateMessageProps {
  drawing: DrawingName
  title: ReactNode
  /** A short text above the title. */
  note?: ReactNode
  children?: ReactNode
  /** The actions that the reader may take. */
  actions?: ReactNode
  /** Whether the message is announced, as a failure is; an empty state is not. */
  announced?: boolean
  /** The heading's level, if the message is the whole page. */
  heading?: 'h1' | 'h2' | 'h3'
}

/** Says that something is empty, failed or missing, why, and what to do next. */
export function StateMessage({
  drawing,
  title,
  note,
  children,
  actions,
  announced,
  heading: Heading = 'h3',
}: StateMessageProps) {
  return (
    <div className={classes(styles.state, Heading === 'h1' && styles.whole)} role={announced ? 'alert' : undefined}>
      <Drawing name={drawing} className={styles.drawing} />
      {note && <Badge tone="accent">{note}</Badge>}
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
