/** CSV imports: the mapping of the file's columns to the table's, and the problems of each row. */
import type { Column } from '@/postgres/catalog'
import { problemOf, type CellProblem } from './cell'

/** For each column of the file the table's column, or null if it is skipped. */
export type Mapping = (string | null)[]

export interface RowProblem {
  /** The number of the row from 1, without the heading. */
  row: number
  /** The line in which the row begins. */
  line: number
  column?: string
  problem: CellProblem | 'cells' | { message: string }
}

/** Maps columns of the same name, ignoring case, spaces and underscores. */
export function proposeMapping(headings: readonly string[], columns: readonly Column[]): Mapping {
  const normalized = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
  const candidates = columns.filter(({ generated }) => !generated)
  const mapped = new Set<string>()
  return headings.map((heading) => {
    const column =
      candidates.find(({ name }) => name === heading.trim() && !mapped.has(name)) ??
      candidates.find(({ name }) => normalized(name) === normalized(heading) && !mapped.has(name))
    if (column) mapped.add(column.name)
    return column?.name ?? null
  })
}

/** Required columns that the file does not have. */
export function missingColumns(mapping: Mapping, columns: readonly Column[]): string[] {
  return columns
    .filter((column) => !column.nullable && column.default === null && column.identity === '' && !column.generated)
    .map(({ name }) => name)
    .filter((name) => !mapping.includes(name))
}

/** The table's columns that the file fills, in the file's order. */
export function mappedColumns(mapping: Mapping, columns: readonly Column[]): Column[] {
  return mapping.flatMap((name) => columns.find((column) => column.name === name) ?? [])
}

/**
 * Whether an empty cell is an empty text: in a text column that is not nullable. Elsewhere it is
 * null.
 */
export function keepsEmpty(column: Column): boolean {
  return !column.nullable && column.category === 'S'
}

/** Problems of a row that can be found without the database. */
export function problemsOf(
  cells: readonly string[],
  mapping: Mapping,
  columns: ReadonlyMap<string, Column>,
): Pick<RowProblem, 'column' | 'problem'>[] {
  // A cell that was split into two columns must be refused, not imported.
  if (cells.some((cell, index) => index >= mapping.length && cell !== '')) return [{ problem: 'cells' }]
  return mapping.flatMap((name, index) => {
    const column = name === null ? undefined : columns.get(name)
    if (!column) return []
    const cell = cells[index] ?? ''
    const problem = problemOf(column, cell === '' && !keepsEmpty(column) ? null : cell)
    return problem ? [{ column: column.name, problem }] : []
  })
}
