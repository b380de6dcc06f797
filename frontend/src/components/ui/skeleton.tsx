import type { CSSProperties } from 'react'
import styles from './skeleton.module.css'

/** The shape of something that is on its way. Silent: the list around it says that it loads. */
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
