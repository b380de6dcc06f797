import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'
import styles from './stat-tile.module.css'

interface StatTileProps {
  label: ReactNode
  value: ReactNode
  /** What the figure is compared with, or since when it counts. */
  note?: ReactNode
  icon?: IconName
}

/** A list of figures side by side; its tiles are `StatTile`s. */
export function StatTiles({ children }: { children: ReactNode }) {
  return <dl className={styles.tiles}>{children}</dl>
}

/** One figure with its name. */
export function StatTile({ label, value, note, icon }: StatTileProps) {
  return (
    <div className={styles.tile}>
      <dt className={styles.label}>
        {icon && <Icon name={icon} size={18} />}
        {label}
      </dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  )
}
