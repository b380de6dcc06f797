import { useSearchParams } from 'react-router'
import {
  readTableState,
  SIZES,
  sortedBy,
  withoutFilters,
  writeTableState,
  type TableSpec,
  type TableState,
} from './table-state'

export interface TableHandle<Filter extends string = string> {
  state: TableState<Filter>
  sizes: readonly number[]
  sortBy: (column: string) => void
  /**
   * Goes to the first page and replaces the history entry, so that Back does not step through typed
   * letters.
   */
  filter: (name: Filter, text: string) => void
  clearFilters: () => void
  resize: (size: number) => void
  /** The link to a page. */
  toPage: (page: number) => { search: string }
  /** Corrects an address that named a page past the end. */
  correctPage: (page: number) => void
  isFiltered: boolean
}

/** The controls of the table itself; the page draws the filters. */
export type ShownTable = Omit<TableHandle, 'filter'>

/** A table's state, kept in the address; `spec` is a constant of the page. */
export function useTableState<Filter extends string>(spec: TableSpec<Filter>): TableHandle<Filter> {
  const [params, setParams] = useSearchParams()
  const state = readTableState(params, spec)
  const go = (next: Partial<TableState<Filter>>, replace = false): void =>
    setParams((now) => writeTableState(now, spec, { ...readTableState(now, spec), page: 1, ...next }), {
      replace,
    })
  return {
    state,
    sizes: spec.sizes ?? SIZES,
    sortBy: (column) => go({ sort: sortedBy(state.sort, column) }),
    filter: (name, text) => go({ filters: { ...state.filters, [name]: text } }, true),
    clearFilters: () => go(withoutFilters(spec, state)),
    resize: (size) => go({ size }),
    toPage: (page) => ({ search: `?${writeTableState(params, spec, { ...state, page })}` }),
    correctPage: (page) => go({ page }, true),
    isFiltered: Object.values(state.filters).some((text) => text !== ''),
  }
}
