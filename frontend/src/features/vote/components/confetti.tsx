import type { CSSProperties } from 'react'
import { Icon } from '@/components/ui/icon'
import styles from './confetti.module.css'

const PIECES = 18
const COLOURS = ['var(--accent)', 'var(--gold)', 'var(--online)', 'var(--accent-text)']

/** A short animation of a ballot and confetti. Still if reduced motion is preferred. */
export function Confetti() {
  return (
    <div className={styles.stage} aria-hidden="true">
      {Array.from({ length: PIECES }, (_, index) => (
        <span key={index} className={styles.piece} style={flight(index)} />
      ))}
      <span className={styles.seal}>
        <Icon name="check" size={40} />
      </span>
    </div>
  )
}

/** Evenly distributed angles, with lengths that look random. */
function flight(index: number): CSSProperties {
  const angle = (index / PIECES) * 2 * Math.PI
  const reach = 4 + ((index * 7) % 5) * 0.9
  return {
    '--x': `${(Math.cos(angle) * reach * 1.5).toFixed(2)}rem`,
    '--y': `${(Math.sin(angle) * reach - 1).toFixed(2)}rem`,
    '--rotation': `${((index * 137) % 360) + 180}deg`,
    '--delay': `${(index % 4) * 25}ms`,
    background: COLOURS[index % COLOURS.length],
  } as CSSProperties
}
