import { RetryButton } from './retry-button'
import styles from './panel-failure.module.css'

/** What could not be read, and the way to try again. */
export function PanelFailure({ text, busy, onRetry }: { text: string; busy?: boolean; onRetry: () => void }) {
  return (
    <div role="alert" className={styles.failure}>
      <p>{text}</p>
      <RetryButton size="small" busy={busy} onClick={onRetry} />
    </div>
  )
}
