import type { ReactNode } from 'react'
import { PanelFailure } from '@/components/ui/panel-failure'

/** A query as it stands, of one answer or of pages; or several that were made one. */
interface QueryState<Data> {
  data: Data | undefined
  isPending: boolean
  isError: boolean
  refetch: () => unknown
}

interface QueryStatesProps<Read, Data> {
  query: QueryState<Read>
  /** What is drawn of what was read; all of it unless told. Given beside the query, which is followed only in what is used. */
  data?: Data | undefined
  /** A skeleton in the shape of what comes. */
  loading: ReactNode
  /** The sentence over the way to try again, or a drawing of one's own. */
  failed: string | ((retry: () => void) => ReactNode)
  /** Why there is nothing and what to do about it; for lists without rows and for null. */
  empty?: ReactNode
  children: (data: NonNullable<Data>) => ReactNode
}

/** What a reading shows in each of its four states. Rows once read stay when they cannot be renewed. */
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
