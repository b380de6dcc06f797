import { VisuallyHidden } from './visually-hidden'
import styles from './spinner.module.css'

/** Stands where a whole page will be. */
export function Spinner({ label }: { label?: string }) {
  return (
    <div className={styles.spinner} role="status">
      <span className={styles.mark} aria-hidden="true" />
      {label && <VisuallyHidden>{label}</VisuallyHidden>}
    </div>
  )
}
