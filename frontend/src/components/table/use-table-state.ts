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
  /** From the first page, in the place of the address before: nobody goes back through letters typed. */
  filter: (name: Filter, text: string) => void
  clearFilters: () => void
  resize: (size: number) => void
  /** Where a page is. */
  toPage: (page: number) => { search: string }
  /** Corrects an address that named a page past the end. */
  correctPage: (page: number) => void
  isFiltered: boolean
}

/** What a table draws itself; filters are the page's. */
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
