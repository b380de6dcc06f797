import { useEffect, useRef, type ReactNode } from 'react'
import { Link, NavLink } from './link'
import styles from './tabs.module.css'

interface TabLinksProps {
  label: string
  /** `open` where the query says which one is open: by itself only the path is looked at. */
  tabs: readonly { to: string; label: ReactNode; open?: boolean }[]
}

/** Pages that belong together, in the look of tabs: the address says which one shows. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const row = useRef<HTMLElement>(null)
  // Where the row is wider than the screen, the page that is open is in sight.
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
