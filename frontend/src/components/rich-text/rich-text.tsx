import { sanitise } from './sanitise'
import styles from './rich-text.module.css'

/** An owner's HTML, sanitised. Large: import lazily. */
export function RichText({ html }: { html: string }) {
  return <div className={styles.rich} dangerouslySetInnerHTML={{ __html: sanitise(html) }} />
}
