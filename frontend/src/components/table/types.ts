/** What a table of rows is given. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TablePage } from '@/lib/api/table-page'
import type { Column } from './columns'
import type { RowAction } from './row-menu'
import type { ShownTable } from './use-table-state'

export interface DataTableProps<Row extends object> {
  /** What it lists. */
  label: string
  columns: readonly Column<Row>[]
  table: ShownTable
  query: UseQueryResult<TablePage<Row>>
  rowId: (row: Row) => string
  /** What a row is called, for its controls. */
  rowName: (row: Row) => string
  /** What can be done with one row. */
  actions?: (row: Row) => readonly RowAction[]
  /** What can be done with several; without it rows cannot be chosen. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  filters?: ReactNode
  /** Why there are no rows while nothing is filtered by. */
  empty: ReactNode
  /** Says that the rows could not be read. */
  failed: string
  /** All rows of the filters, for the file of this name; without it none is offered. */
  file?: { name: string; rows: () => Promise<readonly Row[]> }
}
