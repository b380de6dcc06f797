/** Properties of a table. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TablePage } from '@/lib/api/table-page'
import type { Column } from './columns'
import type { RowAction } from './row-menu'
import type { ShownTable } from './use-table-state'

export interface DataTableProps<Row extends object> {
  /** What the table lists. */
  label: string
  columns: readonly Column<Row>[]
  table: ShownTable
  query: UseQueryResult<TablePage<Row>>
  rowId: (row: Row) => string
  /** The name of a row, for its controls. */
  rowName: (row: Row) => string
  /** The actions on one row. */
  actions?: (row: Row) => readonly RowAction[]
  /** The actions on selected rows; without it rows cannot be selected. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  filters?: ReactNode
  /** Why there are no rows, shown while no filter is set. */
  empty: ReactNode
  /** The message when the rows could not be read. */
  failed: string
  /**
   * All rows that match the filters, for a CSV file of this name; without it no file is offered.
   */
  file?: { name: string; rows: () => Promise<readonly Row[]> }
}
