import type { ReactNode } from 'react'
import { pageOf, type PageKey } from '@/lib/pages'
import styles from './page-frame.module.css'

/** A page's edges, as wide as the registry says. */
export function PageFrame({ page, children }: { page: PageKey; children: ReactNode }) {
  return <div className={styles[pageOf(page).width]}>{children}</div>
}
