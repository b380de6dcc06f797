import { useState } from 'react'
import styles from './figure.module.css'

/**
 * A figure that animates its changes: the new one slides into its place. The first one is not
 * animated.
 */
export function Figure({ value }: { value: string }) {
  const [displayed, setShown] = useState({ value, changed: false })
  if (displayed.value !== value) setShown({ value, changed: true })
  return (
    <span key={displayed.value} className={displayed.changed ? styles.landed : undefined}>
      {displayed.value}
    </span>
  )
}
