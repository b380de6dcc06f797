import { classes } from './classes'
import styles from './live-dot.module.css'

/** Filled and pulsing when online, a ring when not. The words stand beside it. */
export function LiveDot({ online }: { online: boolean }) {
  return <span className={classes(styles.dot, online ? styles.online : styles.offline)} aria-hidden="true" />
}
