import type { ReactNode } from 'react'
import { RetryButton } from './retry-button'
import { StateMessage } from './state-message'

interface FailedStateProps {
  title: string
  heading?: 'h1' | 'h2' | 'h3'
  onRetry: () => void
  children?: ReactNode
}

/** Says that something did not load, and offers to try again. */
export function FailedState({ onRetry, ...message }: FailedStateProps) {
  return (
    <StateMessage
      {...message}
      announced
      drawing="failed"
      actions={<RetryButton variant="primary" onClick={onRetry} />}
    />
  )
}
