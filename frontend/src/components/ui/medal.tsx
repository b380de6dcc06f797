import { classes } from './classes'
import { VisuallyHidden } from './visually-hidden'
import styles from './medal.module.css'

const METALS = ['gold', 'silver', 'bronze'] as const

/** A place in a ranking: a medal for the first three (unless plain), a number for the others. */
export function Medal({ place, label, plain = false }: { place: number; label: string; plain?: boolean }) {
  const metal = plain ? undefined : METALS[place - 1]
  if (metal === undefined) {
    return (
      <span className={classes(styles.medal, styles.place, place > 99 && styles.long)}>
        <VisuallyHidden>{label}</VisuallyHidden>
        <span aria-hidden="true">{place}</span>
      </span>
    )
  }
  return (
    <span className={classes(styles.medal, styles[metal])}>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <path
          d="M20 3.4Q25.2 0.5 28.3 5.6Q34.3 5.7 34.4 11.7Q39.5 14.8 36.6 20Q39.5 25.2 34.4 28.3Q34.3 34.3 28.3 34.4Q25.2 39.5 20 36.6Q14.8 39.5 11.7 34.4Q5.7 34.3 5.6 28.3Q0.5 25.2 3.4 20Q0.5 14.8 5.6 11.7Q5.7 5.7 11.7 5.6Q14.8 0.5 20 3.4z"
          fill="currentColor"
        />
        <circle cx={20} cy={20} r={12.5} fill="none" stroke="#fff" strokeOpacity={0.6} strokeWidth={1.5} />
      </svg>
      <VisuallyHidden>{label}</VisuallyHidden>
      <span className={styles.number} aria-hidden="true">
        {place}
      </span>
    </span>
  )
}
