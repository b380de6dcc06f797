/** The state of a table's screen in the address: view, filters, order, page, and viewer. */
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { filterOf, filterToText, sortOf, sortToText, type Filter, type Sort } from './filters'

export const PAGE_SIZES = [50, 100, 500] as const
export type View = 'rows' | 'structure'

/** The role or user with whose rights the rows are read. */
export type Viewer = { kind: 'owner' } | { kind: 'anon' } | { kind: 'authenticated'; user: string | null }

export interface TableAddress {
  view: View
  filters: Filter[]
  sort: Sort[]
  /** Parsed by `cursorOf` once the table is known. */
  page: string | null
  size: number
  viewer: Viewer
}

export function useTableAddress(): [TableAddress, (change: Partial<TableAddress>) => void] {
  const [parameters, setParameters] = useSearchParams()
  const address = useMemo(() => addressOf(parameters), [parameters])
  const change = useCallback(
    (next: Partial<TableAddress>) =>
      setParameters((before) => {
        // Another order, filter or viewer begins at the first page.
        const page = 'page' in next || 'view' in next ? {} : { page: null }
        return parametersOf({ ...addressOf(before), ...page, ...next })
      }),
    [setParameters],
  )
  return [address, change]
}

export function addressOf(parameters: URLSearchParams): TableAddress {
  const size = Number(parameters.get('size'))
  return {
    view: parameters.get('view') === 'structure' ? 'structure' : 'rows',
    filters: parameters.getAll('filter').flatMap((text) => filterOf(text) ?? []),
    sort: parameters.getAll('sort').flatMap((text) => sortOf(text) ?? []),
    page: parameters.get('page'),
    size: PAGE_SIZES.find((one) => one === size) ?? 100,
    viewer: viewerOf(parameters.get('as')),
  }
}

export function parametersOf(address: TableAddress): URLSearchParams {
  const parameters = new URLSearchParams()
  if (address.view !== 'rows') parameters.set('view', address.view)
  for (const filter of address.filters) parameters.append('filter', filterToText(filter))
  for (const sort of address.sort) parameters.append('sort', sortToText(sort))
  if (address.page !== null) parameters.set('page', address.page)
  if (address.size !== 100) parameters.set('size', String(address.size))
  const { viewer } = address
  if (viewer.kind === 'anon') parameters.set('as', 'anon')
  if (viewer.kind === 'authenticated') parameters.set('as', viewer.user ?? 'authenticated')
  return parameters
}

function viewerOf(text: string | null): Viewer {
  if (!text) return { kind: 'owner' }
  if (text === 'anon') return { kind: 'anon' }
  return { kind: 'authenticated', user: /^[0-9a-f-]{36}$/i.test(text) ? text : null }
}
