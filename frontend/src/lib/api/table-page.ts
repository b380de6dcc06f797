/** One page of a table's rows from rest/v1, in the order and size of the table's state. */
import { toApiError } from './errors'

export interface TablePage<Row> {
  rows: Row[]
  /** The number of rows on all pages. */
  count: number
  /** The number of this page: the last one if a later one was requested. */
  page: number
}

/** The part of a table's state that a query needs. */
export interface PageRequest {
  sort: { column: string; descending: boolean }
  page: number
  size: number
}

interface Answer<Row> {
  data: Row[] | null
  error: { code: string; message: string } | null
  count: number | null
  status: number
}

/** A query with an exact count and its filters set. */
interface RowsQuery<Row> extends PromiseLike<Answer<Row>> {
  order: (column: string, options: { ascending: boolean; nullsFirst?: boolean }) => RowsQuery<Row>
  range: (from: number, to: number) => RowsQuery<Row>
}

/** The code of rest/v1 for a range that begins after the last row. */
const PAST_THE_END = 'PGRST103'

/** Ties are broken by id, or pages would overlap. */
export async function fetchTablePage<Row>(
  ask: () => RowsQuery<Row>,
  request: PageRequest,
  tie = 'id',
): Promise<TablePage<Row>> {
  const answer = await rangeOf(ask(), request, request.page, tie)
  const isPast = answer.error?.code === PAST_THE_END || (answer.data?.length === 0 && request.page > 1)
  if (!isPast) return pageOf(answer, request.page)
  const first = pageOf(await rangeOf(ask(), request, 1, tie), 1)
  const last = Math.max(1, Math.ceil(first.count / request.size))
  return last === 1 ? first : pageOf(await rangeOf(ask(), request, last, tie), last)
}

function rangeOf<Row>(reading: RowsQuery<Row>, { sort, size }: PageRequest, page: number, tie: string): RowsQuery<Row> {
  const from = (page - 1) * size
  return reading
    .order(sort.column, { ascending: !sort.descending, nullsFirst: false })
    .order(tie, { ascending: true })
    .range(from, from + size - 1)
}

function pageOf<Row>({ data, error, count, status }: Answer<Row>, page: number): TablePage<Row> {
  if (error !== null) throw toApiError(error, status)
  return { rows: data ?? [], count: count ?? data?.length ?? 0, page }
}

/**
 * A pattern for `ilike` that matches the text anywhere. The API reads `*` as `%`, so a typed star
 * matches any one character.
 */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '_')}%`
}
