/** A dense list. Columns keep their width while rows change, so that nothing moves. */
import type { ReactNode } from 'react'
import classes from './list-table.module.css'

export interface Column {
  key: string
  label: ReactNode
  /** A CSS width; the remaining space is shared among columns without one. */
  width?: number | string
  /** The minimum width of the window at which the column is shown. */
  from?: 'xs' | 'sm' | 'md'
  isEnd?: boolean
}

interface Props {
  /** The accessible name of the list. */
  label: string
  columns: readonly Column[]
  /** Wraps text instead of cutting it. */
  isWrapped?: boolean
  children: ReactNode
}

export function ListTable({ label, columns, isWrapped, children }: Props) {
  return (
    <div className={classes.box}>
      <table className={classes.table} aria-label={label} data-wrap={isWrapped || undefined}>
        <thead>
          <tr>
            {columns.map(({ key, label: text, width, from, isEnd }) => (
              <th key={key} scope="col" className={visibleFrom(from)} style={{ width }} data-end={isEnd || undefined}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

export function Cell({
  from,
  isEnd,
  title,
  children,
}: {
  from?: Column['from']
  isEnd?: boolean
  title?: string
  children?: ReactNode
}) {
  return (
    <td className={visibleFrom(from)} data-end={isEnd || undefined} title={title}>
      <div className={classes.cell}>{children}</div>
    </td>
  )
}

/** Details of the row before, spanning the `columns` that exist at every width. */
export function DetailRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr className={classes.details}>
      <td colSpan={columns}>
        <div className={classes.cell}>{children}</div>
      </td>
    </tr>
  )
}

const visibleFrom = (from: Column['from']) => (from ? `mantine-visible-from-${from}` : undefined)

export const rowClass = classes.row
export const linkClass = classes.link
