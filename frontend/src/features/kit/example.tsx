import type { ReactNode } from 'react'
import styles from './example.module.css'

/** One state of a component, with its name. */
export function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.example}>
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.stage}>{children}</div>
    </section>
  )
}
