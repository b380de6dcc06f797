import { createColumnHelper, rowSelectionFeature, tableFeatures, type ColumnDef } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { CsvValue } from './csv'

export interface Column<Row> {
  /** Where it can be sorted by, its name in the database. */
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** What the file says; a column without it is not in the file. */
  csv?: (row: Row) => CsvValue
  sorts?: boolean
  /** Figures stand at the end, one below the other. */
  numeric?: boolean
}

/** What a column adds to the library's: how its cells stand. */
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
