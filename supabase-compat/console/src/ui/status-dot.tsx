import classes from './status-dot.module.css'

/** A small mark beside the word that says the same. */
export function StatusDot({ tone }: { tone: 'good' | 'warning' | 'bad' | 'off' }) {
  return <span className={classes.dot} data-tone={tone} aria-hidden />
}
