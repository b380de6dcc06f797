import { createColumnHelper, rowSelectionFeature, tableFeatures, type ColumnDef } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { CsvValue } from './csv'

export interface Column<Row> {
  /** The name of the database column for sorting, if the table can be sorted by it. */
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** The value in the CSV file; a column without it is not in the file. */
  csv?: (row: Row) => CsvValue
  sorts?: boolean
  /** Figures are aligned at the end. */
  numeric?: boolean
}

/** Our addition to the library's columns: the alignment of cells. */
interface ColumnStyle {
  sorts: boolean
  numeric: boolean
}

export const features = tableFeatures({ rowSelectionFeature, columnMeta: {} as ColumnStyle })
export type Features = typeof features

export function definitionsOf<Row extends object>(columns: readonly Column<Row>[]): ColumnDef<Features, Row>[] {
  const helper = createColumnHelper<Features, Row>()
  return columns.map(({ id, title, cell, sorts = false, numeric = false }) =>
    helper.display({
      id,
      header: title,
      cell: ({ row }) => cell(row.original),
      meta: { sorts, numeric },
    }),
  )
}
