import classes from './status-dot.module.css'

/** A decorative dot beside a word with the same meaning. */
export function StatusDot({ tone }: { tone: 'good' | 'warning' | 'bad' | 'off' }) {
  return <span className={classes.dot} data-tone={tone} aria-hidden />
}
