import { RetryButton } from '@/components/ui/retry-button'
import { PanelFailure } from './panel'

/** Says that a part of the page failed and offers to try again. */
export function PanelRetry({ text, query }: { text: string; query: { isFetching: boolean; refetch: () => unknown } }) {
  return (
    <PanelFailure
      text={text}
      retry={<RetryButton size="small" busy={query.isFetching} onClick={() => void query.refetch()} />}
    />
  )
}
