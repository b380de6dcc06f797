import { useState } from 'react'
import styles from './figure.module.css'

/**
 * A figure that animates its changes: the new one slides into its place. The first one is not
 * animated.
 */
export function Figure({ value }: { value: string }) {
  const [shown, setShown] = useState({ value, changed: false })
  if (shown.value !== value) setShown({ value, changed: true })
  return (
    <span key={shown.value} className={shown.changed ? styles.landed : undefined}>
      {shown.value}
    </span>
  )
}
