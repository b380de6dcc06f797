import { RetryButton } from './retry-button'
import styles from './panel-failure.module.css'

/** Says that something could not be read, with a retry button. */
export function PanelFailure({ text, busy, onRetry }: { text: string; busy?: boolean; onRetry: () => void }) {
  return (
    <div role="alert" className={styles.failure}>
      <p>{text}</p>
      <RetryButton size="small" busy={busy} onClick={onRetry} />
    </div>
  )
}
