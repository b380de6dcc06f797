import { useState } from 'react'
import styles from './figure.module.css'

/** A figure that shows when it changes: the new one rises into its place. It stands still the first time. */
export function Figure({ value }: { value: string }) {
  const [shown, setShown] = useState({ value, changed: false })
  if (shown.value !== value) setShown({ value, changed: true })
  return (
    <span key={shown.value} className={shown.changed ? styles.landed : undefined}>
      {shown.value}
    </span>
  )
}
