import { VisuallyHidden } from '@/components/ui/visually-hidden'
import styles from './stars.module.css'

const STAR = 'M10 1.6l2.5 5.3 5.8.8-4.2 4 1 5.7L10 14.600l-5.100 2.800 1-5.700-4.200-4 5.800-.8z'

/** Five stars filled up to a value; the label has the value as text. */
export function Stars({ value, label }: { value: number; label: string }) {
  return (
    <span className={styles.stars}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <svg viewBox="0 0 100 20" width={90} height={18} aria-hidden="true">
        <g className={styles.empty}>{row()}</g>
        <g className={styles.full} style={{ clipPath: `inset(0 ${100 - value * 20}% 0 0)` }}>
          <rect width={100} height={20} fill="none" />
          {row()}
        </g>
      </svg>
    </span>
  )
}

function row() {
  return [0, 1, 2, 3, 4].map((star) => <path key={star} d={STAR} transform={`translate(${star * 20} 0)`} />)
}

/** One star of the field for a rating. */
export function Star() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={STAR} />
    </svg>
  )
}
