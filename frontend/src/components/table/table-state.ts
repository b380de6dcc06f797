/** The state of a table in its address: order, filters, page, rows per page. Pure. */

export interface TableSpec<Filter extends string> {
  /** The columns by which rows can be sorted, by their names in the database. */
  sorts: readonly string[]
  /** The default order; `-votes` is descending. */
  sort: string
  /** The filters: any text, or one of a few values. Their names are used in the address. */
  filters: Readonly<Record<Filter, 'text' | readonly string[]>>
  /** The choices of rows per page; the first is the default. */
  sizes?: readonly [number, ...number[]]
}

export interface TableState<Filter extends string = string> {
  sort: { column: string; descending: boolean }
  /** Empty for a filter that is not set. */
  filters: Readonly<Record<Filter, string>>
  /** From 1. */
  page: number
  size: number
}

export const SIZES = [25, 50, 100] as const
const LONGEST_TEXT = 100
const LAST_PAGE = 100_000

/** Invalid values in the address fall back to the defaults. */
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

/**
 * The query string of the address with the state in it; defaults are omitted, other parameters
 * stay.
 */
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

/** The state without filters, on the first page. */
export function withoutFilters<Filter extends string>(
  spec: TableSpec<Filter>,
  state: TableState<Filter>,
): TableState<Filter> {
  return { ...state, filters: mapFilters(spec, () => ''), page: 1 }
}

/** Sorting by the same column reverses the order; another column begins ascending. */
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
