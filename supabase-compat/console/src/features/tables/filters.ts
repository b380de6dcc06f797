/** Filters of rows: in the address and in SQL. */
import type { Column } from '@/postgres/catalog'
import { identifier, type Parameters } from '@/postgres/quote'

export const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts', 'in', 'null', 'notnull'] as const
export type Operator = (typeof OPERATORS)[number]

export interface Filter {
  column: string
  operator: Operator
  value: string
}

export interface Sort {
  column: string
  descending: boolean
}

const COMPARISONS: Partial<Record<Operator, string>> = {
  eq: '=',
  neq: 'is distinct from',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

/**
 * `column.operator.value` in the address; a dot in the column is hex-encoded, since it would end
 * the name.
 */
export function filterToText({ column, operator, value }: Filter): string {
  const name = column.replaceAll('%', '%25').replaceAll('.', '%2E')
  return needsValue(operator) ? `${name}.${operator}.${value}` : `${name}.${operator}`
}

/** Parses a filter of the address; undefined if it is invalid. */
export function filterOf(text: string): Filter | undefined {
  const [, name, symbol, value = ''] = /^([^.]+)\.([a-z]+)(?:\.([\s\S]*))?$/.exec(text) ?? []
  const operator = OPERATORS.find((one) => one === symbol)
  if (name === undefined || !operator) return undefined
  return { column: name.replaceAll('%2E', '.').replaceAll('%25', '%'), operator, value }
}

export function needsValue(operator: Operator): boolean {
  return operator !== 'null' && operator !== 'notnull'
}

/** `column` or `column.desc`, encoded like a filter's column. */
export function sortToText({ column, descending }: Sort): string {
  return `${column.replaceAll('%', '%25').replaceAll('.', '%2E')}${descending ? '.desc' : ''}`
}

export function sortOf(text: string): Sort | undefined {
  const [, name, descending] = /^([^.]+)(\.desc)?$/.exec(text) ?? []
  if (name === undefined) return undefined
  return { column: name.replaceAll('%2E', '.').replaceAll('%25', '%'), descending: descending !== undefined }
}

/** The filters whose column exists: an address may be older than the table. */
export function knownFilters(filters: readonly Filter[], columns: readonly Column[]): Filter[] {
  return filters.filter(({ column }) => columns.some(({ name }) => name === column))
}

/** One SQL condition for each filter; values are added to the parameters. */
export function conditionsOf(filters: readonly Filter[], columns: readonly Column[], parameters: Parameters): string[] {
  return filters.flatMap((filter) => {
    const column = columns.find(({ name }) => name === filter.column)
    return column ? [conditionOf(filter, column, parameters)] : []
  })
}

function conditionOf({ operator, value }: Filter, column: Column, parameters: Parameters): string {
  const name = identifier(column.name)
  switch (operator) {
    case 'null':
      return `${name} is null`
    case 'notnull':
      return `${name} is not null`
    case 'contains':
      return `${name}::text ilike ${parameters.add(`%${escapePattern(value)}%`, 'text')}`
    case 'starts':
      return `${name}::text like ${parameters.add(`${escapePattern(value)}%`, 'text')}`
    case 'in': {
      const values = value.split(',').map((one) => parameters.add(one.trim(), column.type))
      return `${name} in (${values.join(', ')})`
    }
    default:
      // The type json has no equality, so its text is compared.
      return column.sortable
        ? `${name} ${COMPARISONS[operator]} ${parameters.add(value, column.type)}`
        : `${name}::text ${COMPARISONS[operator]} ${parameters.add(value, 'text')}`
  }
}

/** Escapes a text for a pattern of `like`. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, (one) => `\\${one}`)
}
