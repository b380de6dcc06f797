import type { ReactNode } from 'react'
import { useId } from 'react'
import { classes } from '@/components/ui/classes'
import styles from './panel.module.css'

interface PanelProps {
  title: ReactNode
  /** Stands at the end of the heading's line. */
  aside?: ReactNode
  id?: string
  /** In a box of its own. */
  boxed?: boolean
  children: ReactNode
}

/** A part of the page under its heading. */
export function Panel({ title, aside, id, boxed = false, children }: PanelProps) {
  const heading = useId()
  return (
    <section id={id} aria-labelledby={heading} className={classes(styles.panel, boxed && styles.boxed)}>
      <div className={styles.head}>
        <h2 id={heading} className={styles.title}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** A short line where a part of the page could not be had. */
export function PanelFailure({ text, retry }: { text: string; retry: ReactNode }) {
  return (
    <div role="alert" className={styles.failure}>
      <p>{text}</p>
      {retry}
    </div>
  )
}
