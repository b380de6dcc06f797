/** Values of cells: the editor of each type, and checks before the database is asked. */
import type { Column } from '@/postgres/catalog'
import { CELL_LIMIT } from './paging'

/** How a column's values are edited. */
export type Editor = 'boolean' | 'choice' | 'json' | 'array' | 'date' | 'time' | 'number' | 'text'

/** Why a text is not a valid value of a column; each has a text in the locale. */
export type CellProblem =
  | 'required'
  | 'integer'
  | 'integer_range'
  | 'number'
  | 'boolean'
  | 'label'
  | 'json'
  | 'array'
  | 'uuid'
  | 'date'
  | 'too_long'

const RANGES: Partial<Record<string, [bigint, bigint]>> = {
  int2: [-32_768n, 32_767n],
  int4: [-2_147_483_648n, 2_147_483_647n],
  int8: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
}
const DECIMALS = new Set(['numeric', 'float4', 'float8'])
const MOMENTS = new Set(['timestamp', 'timestamptz', 'time', 'timetz'])
const BOOLEANS = /^(t|true|y|yes|on|1|f|false|n|no|off|0)$/i
const UUID = /^\{?[0-9a-f]{4}-?(?:[0-9a-f]{4}-?){7}\}?$/i
const NUMBER = /^[+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?$/i

export function editorOf(column: Column): Editor {
  if (column.category === 'A') return 'array'
  if (column.labels) return 'choice'
  if (column.base === 'bool') return 'boolean'
  if (column.base === 'json' || column.base === 'jsonb') return 'json'
  if (column.base === 'date') return 'date'
  if (MOMENTS.has(column.base)) return 'time'
  if (column.base in RANGES || DECIMALS.has(column.base)) return 'number'
  return 'text'
}

/** Whether values are aligned at the end of the cell. */
export function isNumeric(column: Column): boolean {
  return column.base in RANGES || DECIMALS.has(column.base)
}

/** Whether a new row may omit the value. */
export function hasOwnValue(column: Column): boolean {
  return column.default !== null || column.identity !== '' || column.generated || column.nullable
}

/** Why a text cannot be a column's value. Other checks are left to the database. */
export function problemOf(column: Column, text: string | null): CellProblem | undefined {
  if (text === null) return column.nullable ? undefined : 'required'
  const value = text.trim()
  if (editorOf(column) === 'array') return isArrayLiteral(value) ? undefined : 'array'
  if (column.labels) return column.labels.includes(text) ? undefined : 'label'
  const range = RANGES[column.base]
  if (range) {
    if (!/^[+-]?\d+$/.test(value)) return 'integer'
    const number = BigInt(value.replace(/^\+/, ''))
    return number < range[0] || number > range[1] ? 'integer_range' : undefined
  }
  if (DECIMALS.has(column.base))
    return NUMBER.test(value) || /^[+-]?(nan|inf(inity)?)$/i.test(value) ? undefined : 'number'
  switch (column.base) {
    case 'bool':
      return BOOLEANS.test(value) ? undefined : 'boolean'
    case 'json':
    case 'jsonb':
      return isJson(text) ? undefined : 'json'
    case 'uuid':
      return UUID.test(value) ? undefined : 'uuid'
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      // PostgreSQL accepts far more formats than a pattern could; only a text without a digit or a
      // known word is refused.
      return /\d|now|today|tomorrow|yesterday|infinity|epoch/i.test(value) ? undefined : 'date'
    case 'varchar':
    case 'bpchar': {
      const limit = /\((\d+)\)$/.exec(column.type)?.[1]
      return limit && [...text].length > Number(limit) ? 'too_long' : undefined
    }
    default:
      return undefined
  }
}

/** The shown part of a cell's text, and whether it was cut. */
export function shownText(text: string): { text: string; isCut: boolean } {
  const isCut = text.length > CELL_LIMIT
  const preview = isCut ? text.slice(0, CELL_LIMIT) : text
  return { text: preview.replaceAll(/\s+/g, ' '), isCut }
}

type ArrayValue = (string | null | ArrayValue)[]

/**
 * Parses PostgreSQL's array literal into lists of texts; undefined if it has explicit bounds or is
 * invalid.
 */
export function parseArray(literal: string): ArrayValue | undefined {
  let position = 0
  const read = (): ArrayValue | undefined => {
    const list: ArrayValue = []
    position++
    if (literal[position] === '}') {
      position++
      return list
    }
    for (;;) {
      const element = readElement()
      if (element === undefined) return undefined
      list.push(element)
      const next = literal[position++]
      if (next === '}') return list
      if (next !== ',') return undefined
    }
  }
  const readElement = (): string | null | ArrayValue | undefined => {
    if (literal[position] === '{') return read()
    if (literal[position] === '"') return readQuoted()
    const from = position
    while (position < literal.length && !',{}"'.includes(literal[position]!))
      position += literal[position] === '\\' ? 2 : 1
    const text = literal.slice(from, position).trim()
    if (text === '') return undefined
    return text.toUpperCase() === 'NULL' ? null : text.replaceAll(/\\([\s\S])/g, '$1')
  }
  const readQuoted = (): string | undefined => {
    let text = ''
    for (position++; position < literal.length; position++) {
      if (literal[position] === '"') {
        position++
        return text
      }
      if (literal[position] === '\\') position++
      text += literal[position] ?? ''
    }
    return undefined
  }
  if (literal[0] !== '{') return undefined
  const value = read()
  return value && position === literal.length ? value : undefined
}

/**
 * Formats lists of values as an array literal. Everything but null is quoted, so that no value can
 * end its quotes.
 */
export function formatArray(values: readonly unknown[]): string {
  const parts = values.map((value) => {
    if (value === null || value === undefined) return 'NULL'
    if (Array.isArray(value)) return formatArray(value)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `"${text.replaceAll(/["\\]/g, (one) => `\\${one}`)}"`
  })
  return `{${parts.join(',')}}`
}

/** An array as JSON for the editor. Arrays with explicit bounds stay as they are. */
export function arrayToJson(literal: string): string {
  const value = parseArray(literal)
  return value ? JSON.stringify(value, null, 1) : literal
}

/** The array literal of a typed array. */
export function arrayFromText(text: string): string {
  const value = text.trim()
  if (!value.startsWith('[') || /^\[[-\d:[\]]+\]=/.test(value)) return value
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? formatArray(list) : value
  } catch {
    return value
  }
}

function isArrayLiteral(text: string): boolean {
  return /^\[[-\d:[\]]+\]=\{/.test(text) || parseArray(text) !== undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
