import type { CSSProperties } from 'react'
import styles from './skeleton.module.css'

/**
 * A placeholder in the shape of the content. Silent for screen readers: the list around it says
 * that it is loading.
 */
export function Skeleton({
  width = '100%',
  height = '1rem',
  radius,
}: {
  width?: string
  height?: string
  radius?: string
}) {
  const style: CSSProperties = { width, height, borderRadius: radius }
  return <span className={styles.skeleton} style={style} aria-hidden="true" />
}
