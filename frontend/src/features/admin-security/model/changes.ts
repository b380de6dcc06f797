/** The changes in an audit entry, column by column. Pure. */
import type { Json } from '@/lib/database'

export interface Change {
  column: string
  /** Undefined where the row was created, or the former value is not recorded. */
  before?: Json
  after?: Json
}

function columnsOf(row: Json | null): Readonly<Record<string, Json | undefined>> {
  return row !== null && typeof row === 'object' && !Array.isArray(row) ? row : {}
}

/** Sorted by name; columns that are null on both sides are omitted. */
export function changesOf(before: Json | null, after: Json | null): Change[] {
  const [old, fresh] = [columnsOf(before), columnsOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .toSorted()
    .map((column) => ({ column, before: old[column], after: fresh[column] }))
}

const LONGEST = 160

/** A value in the file. */
function plainValue(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The beginning of a long value. */
export function shortValue(value: Json | undefined): string {
  const text = plainValue(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** All changes in one line, for a file. */
export function changesLine(before: Json | null, after: Json | null): string {
  return changesOf(before, after)
    .map((change) => `${change.column}: ${plainValue(change.before)} → ${plainValue(change.after)}`)
    .join('; ')
}
