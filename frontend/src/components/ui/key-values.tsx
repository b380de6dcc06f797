import type { ReactNode } from 'react'
import styles from './key-values.module.css'

/** A list of names and values. */
export function KeyValues({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.list}>
      {facts.map((fact) => (
        <div key={fact.name} className={styles.row}>
          <dt className={styles.name}>{fact.name}</dt>
          <dd className={styles.value}>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}
