import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import styles from './tabs.module.css'

interface TabLinksProps {
  label: string
  tabs: readonly { to: string; label: ReactNode }[]
}

/** Pages that belong together, in the look of tabs: the address says which one shows. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  return (
    <nav aria-label={label} className={styles.list}>
      {tabs.map((tab) => (
        <NavLink key={tab.to} to={tab.to} end className={styles.tab}>
          {tab.label}
        </NavLink>
      ))}
    </nav>
  )
}
