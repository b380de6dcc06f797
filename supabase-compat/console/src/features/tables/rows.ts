/** Rows of a table in the query cache, and how many there are. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { serviceUrl, send } from '@/api/client'
import type { Relation } from '@/postgres/catalog'
import { Parameters, qualified } from '@/postgres/quote'
import { runQuery } from '@/postgres/run-query'
import { conditionsOf, type Filter, type Sort } from './filters'
import { pageStatement, readPage, type Cursor, type Page, type PageRequest } from './paging'
import type { Viewer } from './use-table-address'

/**
 * The statement timeout of a page in milliseconds; a filter without an index on a large table
 * exceeds it and is refused.
 */
const PAGE_TIMEOUT = 30_000
/** Up to this many rows are counted. */
const MAX_COUNTED = 10_000
/** Tables up to this size are counted with a scan. */
const SMALL_TABLE = 200_000

export interface RowCount {
  count: number
  isEstimate: boolean
}

export const rowKeys = {
  table: (relation: Pick<Relation, 'schema' | 'name'>) => ['rows', relation.schema, relation.name] as const,
}

export function pageQuery(relation: Relation, request: PageRequest) {
  return queryOptions({
    // The key contains the columns, because the cells of a page are read by position.
    queryKey: [...rowKeys.table(relation), 'page', relation.columns.map(({ name }) => name), request] as const,
    queryFn: ({ signal }) => fetchPage(relation, request, signal),
    placeholderData: (before: Page | undefined, query) => {
      const key = query?.queryKey
      const isSameTable =
        key?.[1] === relation.schema && key[2] === relation.name && key[4].length === relation.columns.length
      return isSameTable ? keepPreviousData(before) : undefined
    },
  })
}

export async function fetchPage(relation: Relation, request: PageRequest, signal?: AbortSignal): Promise<Page> {
  const { query, parameters } = pageStatement(relation, request)
  const { rows } = await runQuery({ query, parameters, signal, maxRows: request.size + 1, timeout: PAGE_TIMEOUT })
  return readPage(relation, request, rows)
}

/**
 * The number of rows; for large tables an estimate from statistics and the planner, never a count.
 */
export function countQuery(relation: Relation, filters: readonly Filter[]) {
  return queryOptions({
    queryKey: [...rowKeys.table(relation), 'count', relation.estimated_rows, filters] as const,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<RowCount> => {
      if (filters.length === 0 && relation.estimated_rows >= MAX_COUNTED)
        return { count: relation.estimated_rows, isEstimate: true }
      const parameters = new Parameters()
      const conditions = conditionsOf(filters, relation.columns, parameters)
      const from = `from ${qualified(relation.schema, relation.name)}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`
      const isSmall = relation.estimated_rows < SMALL_TABLE && relation.kind !== 'view'
      if (isSmall || filters.length === 0) {
        const query = `select count(*)::int from (select 1 ${from} limit ${MAX_COUNTED + 1}) as counted`
        const { rows } = await runQuery({ query, parameters: parameters.values, signal, timeout: 5000 })
        const count = Number(rows[0]?.[0])
        return { count: Math.min(count, MAX_COUNTED), isEstimate: count > MAX_COUNTED }
      }
      const query = `explain (format json) select 1 ${from}`
      const { rows } = await runQuery({ query, parameters: parameters.values, signal, timeout: 5000 })
      const value: unknown = rows[0]?.[0]
      const plan = (typeof value === 'string' ? JSON.parse(value) : value) as [{ Plan: { 'Plan Rows': number } }]
      return { count: plan[0].Plan['Plan Rows'], isEstimate: true }
    },
  })
}

export interface ViewerPage {
  rows: Record<string, unknown>[]
  hasNext: boolean
}

/** Operators of rest/v1. */
const REST_OPERATORS = { eq: 'eq', neq: 'neq', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte' } as const

/** The rows that a role or a user sees, through rest/v1, which runs the query with their rights. */
export function viewerQuery(
  relation: Relation,
  viewer: Viewer,
  request: { filters: Filter[]; sort: Sort[]; offset: number; size: number },
) {
  return queryOptions({
    queryKey: [...rowKeys.table(relation), 'viewer', viewer, request] as const,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }): Promise<ViewerPage> => {
      const url = `${serviceUrl(`rest/v1/${encodeURIComponent(relation.name)}`)}?${restParameters(request)}`
      const headers: Record<string, string> = { 'accept-profile': relation.schema }
      if (viewer.kind !== 'owner') headers['x-console-role'] = viewer.kind
      if (viewer.kind === 'authenticated' && viewer.user) headers['x-console-user'] = viewer.user
      const response = await send(url, { headers, signal })
      const rows = (await response.json()) as Record<string, unknown>[]
      return { rows: rows.slice(0, request.size), hasNext: rows.length > request.size }
    },
  })
}

export function restParameters(request: {
  filters: Filter[]
  sort: Sort[]
  offset: number
  size: number
}): URLSearchParams {
  const parameters = new URLSearchParams({
    select: '*',
    limit: String(request.size + 1),
    offset: String(request.offset),
  })
  for (const { column, operator, value } of request.filters) parameters.append(column, restCondition(operator, value))
  if (request.sort.length > 0)
    parameters.set(
      'order',
      request.sort.map(({ column, descending }) => `${quoted(column)}${descending ? '.desc' : ''}`).join(','),
    )
  return parameters
}

function restCondition(operator: Filter['operator'], value: string): string {
  switch (operator) {
    case 'null':
      return 'is.null'
    case 'notnull':
      return 'not.is.null'
    case 'contains':
      return `ilike.*${value}*`
    case 'starts':
      return `like.${value}*`
    case 'in':
      return `in.(${value
        .split(',')
        .map((one) => quoted(one.trim()))
        .join(',')})`
    default:
      return `${REST_OPERATORS[operator]}.${value}`
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (one) => `\\${one}`)}"`
}

/** The cursor of the page after or before these rows. */
export function cursorBeside(page: Page, direction: 'after' | 'before'): Cursor | undefined {
  const row = direction === 'after' ? page.rows.at(-1) : page.rows[0]
  return row ? { direction, values: row.cursor } : undefined
}
