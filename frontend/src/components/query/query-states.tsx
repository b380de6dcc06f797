import type { ReactNode } from 'react'
import { PanelFailure } from '@/components/ui/panel-failure'

/** The state of a query or an infinite query, or of several that were combined. */
interface QueryState<Data> {
  data: Data | undefined
  isPending: boolean
  isError: boolean
  refetch: () => unknown
}

interface QueryStatesProps<Read, Data> {
  query: QueryState<Read>
  /**
   * The data to draw, by default all of the query's data. Given separately, so that only its
   * changes render anew.
   */
  data?: Data | undefined
  /** A placeholder in the shape of the content. */
  loading: ReactNode
  /** The sentence above the retry button, or an element of the caller's. */
  failed: string | ((retry: () => void) => ReactNode)
  /** Shown for lists without rows and for null: why there is nothing and what to do. */
  empty?: ReactNode
  children: (data: NonNullable<Data>) => ReactNode
}

/** Draws a query in each of its four states. Rows that were read stay when a refetch fails. */
export function QueryStates<Read, Data = Read>(props: QueryStatesProps<Read, Data>) {
  const { query, loading, failed, empty = null, children } = props
  const data = props.data === undefined ? (query.data as Data | undefined) : props.data
  if (query.isPending) return loading
  if (query.isError && data === undefined) {
    const retry = (): void => void query.refetch()
    return typeof failed === 'string' ? <PanelFailure text={failed} onRetry={retry} /> : failed(retry)
  }
  if (data === null || data === undefined || (Array.isArray(data) && data.length === 0)) return empty
  return children(data)
}
