/** What a table shows of its rows, as its address says it: order, filters, page, rows a page. Pure. */

export interface TableSpec<Filter extends string> {
  /** Columns the rows can be put in the order of, by their names in the database. */
  sorts: readonly string[]
  /** The order while the address names none; `-votes` is the greatest first. */
  sort: string
  /** What can be filtered by: any text, or one of a few values. The names stand in the address. */
  filters: Readonly<Record<Filter, 'text' | readonly string[]>>
  /** Rows a page; the first while the address names none. */
  sizes?: readonly [number, ...number[]]
}

export interface TableState<Filter extends string = string> {
  sort: { column: string; descending: boolean }
  /** Empty where it is not filtered by. */
  filters: Readonly<Record<Filter, string>>
  /** From 1. */
  page: number
  size: number
}

export const SIZES = [25, 50, 100] as const
const LONGEST_TEXT = 100
const LAST_PAGE = 100_000

/** Whatever the address says that cannot be falls back to the usual. */
export function readTableState<Filter extends string>(
  params: URLSearchParams,
  spec: TableSpec<Filter>,
): TableState<Filter> {
  const { sizes = SIZES } = spec
  const sort = params.get('sort') ?? ''
  const size = Number(params.get('size'))
  const page = Number(params.get('page'))
  return {
    sort: sortOf(spec.sorts.includes(sort.replace(/^-/, '')) ? sort : spec.sort),
    filters: mapFilters(spec, (name, kind) => {
      const text = (params.get(name) ?? '').replaceAll('\0', '').trim()
      if (kind === 'text') return text.slice(0, LONGEST_TEXT)
      return kind.includes(text) ? text : ''
    }),
    page: Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1,
    size: sizes.includes(size) ? size : sizes[0],
  }
}

/** The address's query with the state in it; what is usual is left out, what is not the table's stays. */
export function writeTableState<Filter extends string>(
  params: URLSearchParams,
  spec: TableSpec<Filter>,
  state: TableState<Filter>,
): URLSearchParams {
  const { sizes = SIZES } = spec
  const next = new URLSearchParams(params)
  const put = (name: string, text: string, usual: string): void =>
    text === usual ? next.delete(name) : next.set(name, text)
  put('sort', (state.sort.descending ? '-' : '') + state.sort.column, spec.sort)
  for (const name of namesOf(spec)) put(name, state.filters[name], '')
  put('size', String(state.size), String(sizes[0]))
  put('page', String(state.page), '1')
  return next
}

/** The same without filters, from the first page. */
export function withoutFilters<Filter extends string>(
  spec: TableSpec<Filter>,
  state: TableState<Filter>,
): TableState<Filter> {
  return { ...state, filters: mapFilters(spec, () => ''), page: 1 }
}

/** By the same column the other way round; by another from its smallest. */
export function sortedBy(sort: TableState['sort'], column: string): TableState['sort'] {
  return { column, descending: sort.column === column && !sort.descending }
}

function sortOf(text: string): TableState['sort'] {
  return { column: text.replace(/^-/, ''), descending: text.startsWith('-') }
}

function namesOf<Filter extends string>(spec: TableSpec<Filter>): Filter[] {
  const names: string[] = Object.keys(spec.filters)
  return names.filter((name): name is Filter => name in spec.filters)
}

function mapFilters<Filter extends string>(
  spec: TableSpec<Filter>,
  read: (name: Filter, kind: 'text' | readonly string[]) => string,
): Record<Filter, string> {
  const empty: Partial<Record<Filter, string>> = {}
  return namesOf(spec).reduce((all, name) => ({ ...all, [name]: read(name, spec.filters[name]) }), empty) as Record<
    Filter,
    string
  >
}
