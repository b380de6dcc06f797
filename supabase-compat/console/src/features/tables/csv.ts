/** Files of comma-separated values: which column of the file fills which of the table, and what each row would become. */
import type { Column } from '@/postgres/catalog'
import { problemOf, type CellProblem } from './cell'

/** For each column of the file the table's column, or nothing where it is left out. */
export type Mapping = (string | null)[]

export interface RowProblem {
  /** The row of the file from 1, without its heading. */
  line: number
  column?: string
  problem: CellProblem | { message: string }
}

/** Columns of the same name, whatever their case, blanks and underscores. */
export function proposeMapping(headings: readonly string[], columns: readonly Column[]): Mapping {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
  const free = columns.filter(({ generated }) => !generated)
  const taken = new Set<string>()
  return headings.map((heading) => {
    const column =
      free.find(({ name }) => name === heading.trim() && !taken.has(name)) ??
      free.find(({ name }) => plain(name) === plain(heading) && !taken.has(name))
    if (column) taken.add(column.name)
    return column?.name ?? null
  })
}

/** Columns that need a value and get none from the file. */
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

/** The cells of a row of the file as values: an empty cell is null, but an empty text where null is refused. */
export function valuesOf(row: readonly string[], mapping: Mapping, columns: readonly Column[]): (string | null)[] {
  return mapping.flatMap((name, place) => {
    const column = columns.find((one) => one.name === name)
    if (!column) return []
    const text = row[place] ?? ''
    if (text !== '') return [text]
    return [!column.nullable && column.category === 'S' ? '' : null]
  })
}

/** What can be said of rows before the database is asked; at most so many. */
export function problemsOf(
  rows: readonly (readonly (string | null)[])[],
  columns: readonly Column[],
  limit = 1000,
): RowProblem[] {
  const problems: RowProblem[] = []
  for (const [index, row] of rows.entries()) {
    for (const [place, column] of columns.entries()) {
      const problem = problemOf(column, row[place] ?? null)
      if (problem) problems.push({ line: index + 1, column: column.name, problem })
      if (problems.length >= limit) return problems
    }
  }
  return problems
}

/** Rows in groups whose text as JSON stays below so many bytes. */
export function chunksOf<Row>(rows: readonly Row[], bytes: number, count: number): Row[][] {
  const chunks: Row[][] = []
  let size = 0
  for (const row of rows) {
    const own = JSON.stringify(row).length * 2
    const last = chunks.at(-1)
    if (!last || size + own > bytes || last.length >= count) {
      chunks.push([row])
      size = own
    } else {
      last.push(row)
      size += own
    }
  }
  return chunks
}
