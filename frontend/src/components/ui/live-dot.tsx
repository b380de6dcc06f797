import { classes } from './classes'
import styles from './live-dot.module.css'

/** A dot that is filled and pulsing when online, and a ring when not. A text stands beside it. */
export function LiveDot({ online }: { online: boolean }) {
  return <span className={classes(styles.dot, online ? styles.online : styles.offline)} aria-hidden="true" />
}
