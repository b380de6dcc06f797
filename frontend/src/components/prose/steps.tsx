import type { ReactNode } from 'react'
import styles from './steps.module.css'

/** What to do, one after the other. */
export function Steps({ steps }: { steps: readonly ReactNode[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={index} className={styles.step}>
          {step}
        </li>
      ))}
    </ol>
  )
}
