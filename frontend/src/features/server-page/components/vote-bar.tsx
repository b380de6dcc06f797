import type { ServerDetail } from '../api/server'
import { VoteAction } from './vote-action'
import styles from './vote-bar.module.css'

/** On narrow screens the vote button stays at the thumb while the page moves. */
export function VoteBar({ server, name }: { server: ServerDetail; name: string }) {
  return (
    <div className={styles.bar}>
      <VoteAction server={server} name={name} />
    </div>
  )
}
