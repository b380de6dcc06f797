/**
 * The statement that reads one page of a relation. A page begins after the last row of the page
 * before it (keyset), so that the ten-millionth row costs as much as the first. Rows without a key
 * are paginated by their place in the table (`ctid`), rows of views by their number.
 */
import type { Column, Relation } from '@/postgres/catalog'
import { Parameters, identifier, qualified } from '@/postgres/quote'
import { conditionsOf, type Filter, type Sort } from './filters'

/** How many characters of a cell are read with a page; the rest is read on demand. */
export const CELL_LIMIT = 256

/** Where a page begins: after or before a row, by its sort values, or at an offset. */
export type Cursor =
  { direction: 'after' | 'before'; values: (string | null)[] } | { direction: 'offset'; offset: number }

export interface PageRequest {
  filters: readonly Filter[]
  sort: readonly Sort[]
  cursor?: Cursor | undefined
  size: number
  /** Reads whole cells, for a file. */
  isWhole?: boolean
}

export interface Statement {
  query: string
  parameters: (string | null)[]
}

/** How rows of a relation are identified. */
export type RowIdentity = 'key' | 'place' | 'none'

export interface PageRow {
  /** The text of each cell, cut to {@link CELL_LIMIT} plus one characters. */
  cells: (string | null)[]
  /** The whole values of the sort keys. */
  cursor: (string | null)[]
  /** The whole values of the key, or the place. */
  identity: (string | null)[]
  /** The transaction that wrote this version of the row; null where rows cannot be changed. */
  version: string | null
}

export interface Page {
  rows: PageRow[]
  hasNext: boolean
  hasPrevious: boolean
}

interface OrderKey {
  /** The expression in SQL. */
  expression: string
  type: string
  nullable: boolean
  descending: boolean
}

export function identityOf(relation: Relation): RowIdentity {
  if (relation.key.length > 0) return 'key'
  return relation.kind === 'table' || relation.kind === 'materialized' ? 'place' : 'none'
}

/** Whether pages can be read backwards from any row. */
export function hasKeyset(relation: Relation): boolean {
  return identityOf(relation) !== 'none'
}

/** The statement for one page plus one row, which shows whether there is another page. */
export function pageStatement(relation: Relation, request: PageRequest): Statement {
  const parameters = new Parameters()
  const conditions = conditionsOf(request.filters, relation.columns, parameters)
  const keys = orderOf(relation, request.sort)
  const list = listOf(relation, keys, request.isWhole ?? false)
  const from = `from ${qualified(relation.schema, relation.name)} as o`
  const limit = `limit ${request.size + 1}`
  const { cursor } = request
  if (!cursor || cursor.direction === 'offset') {
    const order = isUnordered(relation, request) ? '' : orderBy(keys, false)
    const offset = cursor ? ` offset ${Math.max(0, Math.trunc(cursor.offset))}` : ''
    return {
      query: `select ${list} ${from}${where(conditions)}${order} ${limit}${offset}`,
      parameters: parameters.values,
    }
  }
  const backward = cursor.direction === 'before'
  // A scan from a place reads the table in this order anyway; an `order by` would sort all of it.
  const order = isUnordered(relation, request) && !backward ? '' : orderBy(keys, backward)
  const parts = partsAfter(keys, cursor.values, backward, parameters)
  const selects = parts.map((part) => `select ${list} ${from}${where([...conditions, ...part])}${order} ${limit}`)
  const query =
    selects.length === 1 ? selects[0]! : `${selects.map((select) => `(${select})`).join(' union all ')} ${limit}`
  return { query, parameters: parameters.values }
}

/** The rows of a result, in the order of the page. */
export function readPage(relation: Relation, request: PageRequest, rows: readonly (readonly unknown[])[]): Page {
  const width = relation.columns.length
  const keys = orderOf(relation, request.sort).length
  const identities = identityOf(relation) === 'key' ? relation.key.length : 1
  const hasMore = rows.length > request.size
  const read = rows.slice(0, request.size).map((row): PageRow => {
    const texts = row.map(textOf)
    const rest = texts.slice(width + keys)
    return {
      cells: texts.slice(0, width),
      cursor: texts.slice(width, width + keys),
      identity: rest.slice(0, identities),
      version: rest[identities] ?? null,
    }
  })
  const { cursor } = request
  const backward = cursor?.direction === 'before'
  if (backward) read.reverse()
  return {
    rows: read,
    hasNext: backward ? true : hasMore,
    hasPrevious: backward ? hasMore : cursor !== undefined && !(cursor.direction === 'offset' && cursor.offset === 0),
  }
}

/** A cursor for the address. */
export function cursorToText(cursor: Cursor): string {
  return cursor.direction === 'offset'
    ? `offset:${cursor.offset}`
    : `${cursor.direction}:${JSON.stringify(cursor.values)}`
}

/** Parses a cursor of the address; undefined if it does not match the order. */
export function cursorOf(text: string | null, relation: Relation, sort: readonly Sort[]): Cursor | undefined {
  const [, direction, rest] = /^(after|before|offset):([\s\S]*)$/.exec(text ?? '') ?? []
  if (rest === undefined) return undefined
  if (direction === 'offset') {
    const offset = Number(rest)
    return Number.isSafeInteger(offset) && offset >= 0 ? { direction, offset } : undefined
  }
  try {
    const values: unknown = JSON.parse(rest)
    const isValid =
      hasKeyset(relation) &&
      Array.isArray(values) &&
      values.length === orderOf(relation, sort).length &&
      values.every((value) => value === null || typeof value === 'string')
    return isValid ? { direction: direction as 'after' | 'before', values } : undefined
  } catch {
    return undefined
  }
}

/** The select expression that reads a column as text. */
export function cellExpression(column: Column, isWhole: boolean): string {
  const name = identifier(column.name)
  if (isWhole) return `${name}::text`
  // Only the first bytes are converted to text: ten megabytes would become twenty.
  if (column.base === 'bytea') return `'\\x' || encode(substring(${name} from 1 for ${CELL_LIMIT / 2}), 'hex')`
  return FIXED.has(column.base) ? `${name}::text` : `left(${name}::text, ${CELL_LIMIT + 1})`
}

/** Types whose text is short. */
const FIXED = new Set([
  'bool',
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'uuid',
  'date',
  'timestamp',
  'timestamptz',
  'oid',
])

function orderOf(relation: Relation, sort: readonly Sort[]): OrderKey[] {
  const selected = sort.flatMap(({ column: name, descending }) => {
    const column = relation.columns.find((one) => one.name === name && one.sortable)
    return column ? [{ column, descending }] : []
  })
  const keys = selected.map(({ column, descending }) => keyOf(column, descending))
  // Ties are sorted in the direction of the last chosen column, so that one index can serve both.
  const descending = selected.at(-1)?.descending ?? false
  switch (identityOf(relation)) {
    case 'key': {
      const rest = relation.key.filter((name) => !selected.some(({ column }) => column.name === name))
      const columns = rest.flatMap((name) => relation.columns.find((column) => column.name === name) ?? [])
      return [...keys, ...columns.map((column) => keyOf(column, descending))]
    }
    case 'place':
      return [...keys, { expression: 'o.ctid', type: 'tid', nullable: false, descending }]
    default:
      return keys
  }
}

function keyOf(column: Column, descending: boolean): OrderKey {
  // Qualified, since a bare name in `order by` would refer to the select list, whose alias `c1` may
  // also be a column.
  return { expression: `o.${identifier(column.name)}`, type: column.type, nullable: column.nullable, descending }
}

/** Whether the table is read in its physical order. */
function isUnordered(relation: Relation, request: PageRequest): boolean {
  return identityOf(relation) === 'place' && request.sort.length === 0
}

function listOf(relation: Relation, keys: readonly OrderKey[], isWhole: boolean): string {
  const identity = identityOf(relation)
  const list = [
    ...relation.columns.map((column) => cellExpression(column, isWhole)),
    ...keys.map(({ expression }) => `${expression}::text`),
    ...(identity === 'key' ? relation.key.map((name) => `${identifier(name)}::text`) : []),
    ...(identity === 'place' ? ['ctid::text'] : []),
    ...(identity === 'none' ? ['null'] : []),
    relation.kind === 'table' || relation.kind === 'partitioned' ? 'xmin::text' : 'null',
  ]
  return list.map((expression, place) => `${expression} as c${place}`).join(', ')
}

/**
 * The conditions of the rows after the cursor, as one or two lists to be read one after the other:
 * rows whose first value is null are at one end of the index, and a condition that allows both ends
 * would scan all of it.
 */
function partsAfter(
  keys: readonly OrderKey[],
  values: readonly (string | null)[],
  backward: boolean,
  parameters: Parameters,
): string[][] {
  const [first] = keys
  if (!first) return [[]]
  if (!first.nullable) return [after(keys, values, backward, parameters)]
  // PostgreSQL's default order, which an index has: null is larger than everything.
  const nullsLast = first.descending === backward
  const isNull = `${first.expression} is null`
  const rest = keys.slice(1)
  if (values[0] === null) {
    const within = [isNull, ...after(rest, values.slice(1), backward, parameters)]
    return nullsLast ? [within] : [within, [`${first.expression} is not null`]]
  }
  const within = after([{ ...first, nullable: false }, ...rest], values, backward, parameters)
  return nullsLast ? [within, [isNull]] : [within]
}

function after(
  keys: readonly OrderKey[],
  values: readonly (string | null)[],
  backward: boolean,
  parameters: Parameters,
): string[] {
  const [first] = keys
  if (!first) return []
  const places = keys.map(({ type }, place) => parameters.add(values[place] ?? null, type))
  const isUniform = keys.every(({ nullable, descending }) => !nullable && descending === first.descending)
  const sign = (key: OrderKey): string => (key.descending === backward ? '>' : '<')
  if (isUniform) {
    if (keys.length === 1) return [`${first.expression} ${sign(first)} ${places[0]}`]
    return [`(${keys.map(({ expression }) => expression).join(', ')}) ${sign(first)} (${places.join(', ')})`]
  }
  const choices = keys.map((key, place) => {
    const equal = keys.slice(0, place).map((one, index) => `${one.expression} is not distinct from ${places[index]}`)
    return `(${[...equal, larger(key, values[place] ?? null, places[place]!, backward)].join(' and ')})`
  })
  // The second condition is redundant, but an index scan can begin at it.
  const bound = first.nullable ? [] : [`${first.expression} ${sign(first)}= ${places[0]}`]
  return [`(${choices.join(' or ')})`, ...bound]
}

/** The condition that a key comes after a value, where null is larger than everything. */
function larger(key: OrderKey, value: string | null, place: string, backward: boolean): string {
  const isAscending = key.descending === backward
  if (!key.nullable) return `${key.expression} ${isAscending ? '>' : '<'} ${place}`
  if (value === null) return isAscending ? 'false' : `${key.expression} is not null`
  return isAscending ? `(${key.expression} > ${place} or ${key.expression} is null)` : `${key.expression} < ${place}`
}

function orderBy(keys: readonly OrderKey[], backward: boolean): string {
  if (keys.length === 0) return ''
  return ` order by ${keys.map(({ expression, descending }) => `${expression}${descending === backward ? '' : ' desc'}`).join(', ')}`
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
