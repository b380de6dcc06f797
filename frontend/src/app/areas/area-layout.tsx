import type { ReactNode } from 'react'
import { AreaNav, type AreaNavProps } from './area-nav'
import styles from './area-layout.module.css'

/** The layout of a large area: its menu beside the open page. */
export function AreaLayout({ children, ...nav }: AreaNavProps & { children: ReactNode }) {
  return (
    <div className={styles.area}>
      <AreaNav {...nav} />
      <div className={styles.content}>{children}</div>
    </div>
  )
}
