import type { ReactNode } from 'react'
import styles from './steps.module.css'

/** A numbered list of steps. */
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
