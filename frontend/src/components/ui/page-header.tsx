import type { ReactNode } from 'react'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: ReactNode
  /** What the page is for, in a sentence. */
  description?: ReactNode
  /** What stands above the title: where one is, and the way up. */
  above?: ReactNode
  /** What can be done with all of it. */
  actions?: ReactNode
  /** `h1`, unless it begins only a part of a page. */
  level?: 'h1' | 'h2'
}

/** Begins a page: its one `h1`, and what it is about. */
export function PageHeader({ title, description, above, actions, level: Heading = 'h1' }: PageHeaderProps) {
  return (
    <div className={styles.header}>
      <div className={styles.words}>
        {above}
        <Heading className={styles.title}>{title}</Heading>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
