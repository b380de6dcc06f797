import { useEffect, useRef, type ReactNode } from 'react'
import { Link, NavLink } from './link'
import styles from './tabs.module.css'

interface TabLinksProps {
  label: string
  /**
   * `open` marks the open tab where the query string decides; by default only the path is compared.
   */
  tabs: readonly { to: string; label: ReactNode; open?: boolean }[]
}

/** Links between related pages that look like tabs: the address decides which one is open. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const row = useRef<HTMLElement>(null)
  // Scrolls the open tab into view where the row is wider than the screen.
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (open) row.current?.scrollTo({ left: open.offsetLeft - (row.current.clientWidth - open.offsetWidth) / 2 })
  })
  return (
    <nav ref={row} aria-label={label} className={styles.list}>
      {tabs.map((tab) =>
        tab.open === undefined ? (
          <NavLink key={tab.to} to={tab.to} className={styles.tab}>
            {tab.label}
          </NavLink>
        ) : (
          <Link key={tab.to} to={tab.to} className={styles.tab} aria-current={tab.open ? 'page' : undefined}>
            {tab.label}
          </Link>
        ),
      )}
    </nav>
  )
}
