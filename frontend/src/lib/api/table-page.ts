/** One page of a table's rows, asked of rest/v1 in the order and length the table's address says. */
import { toApiError } from './errors'

export interface TablePage<Row> {
  rows: Row[]
  /** How many there are on all pages. */
  count: number
  /** The page these are of: the last one, where the address named one past it. */
  page: number
}

/** What of a table's state the reading needs. */
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

/** A reading that counts exactly and is filtered already. */
interface RowsQuery<Row> extends PromiseLike<Answer<Row>> {
  order: (column: string, options: { ascending: boolean; nullsFirst?: boolean }) => RowsQuery<Row>
  range: (from: number, to: number) => RowsQuery<Row>
}

/** What rest/v1 says of a range that begins past the last row. */
const PAST_THE_END = 'PGRST103'

/** Ties are settled by the id, or pages would overlap. */
export async function fetchTablePage<Row>(
  ask: () => RowsQuery<Row>,
  wanted: PageRequest,
  tie = 'id',
): Promise<TablePage<Row>> {
  const answer = await rangeOf(ask(), wanted, wanted.page, tie)
  const isPast = answer.error?.code === PAST_THE_END || (answer.data?.length === 0 && wanted.page > 1)
  if (!isPast) return pageOf(answer, wanted.page)
  const first = pageOf(await rangeOf(ask(), wanted, 1, tie), 1)
  const last = Math.max(1, Math.ceil(first.count / wanted.size))
  return last === 1 ? first : pageOf(await rangeOf(ask(), wanted, last, tie), last)
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

/** A text as `ilike` finds it anywhere. The API reads `*` as `%`, so a typed star matches any one character. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '_')}%`
}
