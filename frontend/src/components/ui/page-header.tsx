import type { ReactNode } from 'react'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: ReactNode
  /** The purpose of the page, in a sentence. */
  description?: ReactNode
  /** Shown above the title, such as breadcrumbs. */
  above?: ReactNode
  /** The actions on the whole page. */
  actions?: ReactNode
  /** The level of the heading: `h1`, unless it begins only a section of a page. */
  level?: 'h1' | 'h2'
}

/** The head of a page: its only `h1`, and what the page is about. */
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
