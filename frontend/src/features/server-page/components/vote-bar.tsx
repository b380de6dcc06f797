import { VoteButton } from '@/components/vote/vote-button'
import { classes } from '@/components/ui/classes'
import type { ServerDetail } from '../api/server'
import { voteTargetOf } from '../model/vote-target'
import styles from './vote-bar.module.css'

interface VoteBarProps {
  server: ServerDetail
  name: string
  /** Whether the card with the other vote button is scrolled out of view. */
  away: boolean
}

/**
 * A vote button that stays in view while scrolling: at the bottom on narrow screens, in the corner
 * on wide ones.
 */
export function VoteBar({ server, name, away }: VoteBarProps) {
  return (
    <div className={classes(styles.bar, away && styles.away)}>
      <VoteButton target={voteTargetOf(server)} name={name} size="large" />
    </div>
  )
}
