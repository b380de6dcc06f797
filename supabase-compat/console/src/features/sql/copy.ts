/** A result as text: a single cell, CSV, or JSON. */
import Papa from 'papaparse'
import type { QueryResult } from '@/postgres/run-query'

/** The text of a value; JSON is indented if it stands alone. */
export function textOf(value: unknown, isAlone = false): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, isAlone ? 2 : undefined)
}

export function csvOf({ columns, rows }: QueryResult): string {
  return Papa.unparse({
    fields: columns.map(({ name }) => name),
    data: rows.map((row) => row.map((value) => textOf(value))),
  })
}

/** A list of objects; repeated column names get a number. */
export function jsonOf({ columns, rows }: QueryResult): string {
  const counts = new Map<string, number>()
  const names = columns.map(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}_${count}`
  })
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]]))),
    null,
    2,
  )
}
