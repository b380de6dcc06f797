import styles from './progress-bar.module.css'

/** A line at the top of the page while the next one is on its way. What is said of it is said when it is there. */
export function ProgressBar() {
  return <div className={styles.bar} data-testid="on-its-way" aria-hidden="true" />
}
