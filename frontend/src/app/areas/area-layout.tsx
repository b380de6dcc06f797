import type { ReactNode } from 'react'
import { AreaNav, type AreaNavProps } from './area-nav'
import styles from './area-layout.module.css'

/** A large area: its pages beside the one that is open. */
export function AreaLayout({ children, ...nav }: AreaNavProps & { children: ReactNode }) {
  return (
    <div className={styles.area}>
      <AreaNav {...nav} />
      <div className={styles.content}>{children}</div>
    </div>
  )
}
