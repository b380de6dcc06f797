import styles from './progress-bar.module.css'

/**
 * A line at the top of the page while the next page is loading. Screen readers are told when the
 * page is there.
 */
export function ProgressBar() {
  return <div className={styles.bar} data-testid="on-its-way" aria-hidden="true" />
}
