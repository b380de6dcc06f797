import { formatClock } from '@/lib/format'
import styles from './next-vote.module.css'

/** The clock to the next vote. Silent for screen readers: it would speak every second. */
export function NextVote({ label, seconds, note }: { label: string; seconds: number; note?: string }) {
  return (
    <p className={styles.next}>
      <span>{label}</span>
      <time className={styles.clock} role="timer" aria-live="off" dateTime={`PT${Math.max(0, Math.floor(seconds))}S`}>
        {formatClock(seconds)}
      </time>
      {note && <span>{note}</span>}
    </p>
  )
}
