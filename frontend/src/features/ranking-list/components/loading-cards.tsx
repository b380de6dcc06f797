import { Skeleton } from '@/components/ui/skeleton'
import list from './ranking-list.module.css'
import styles from './server-card.module.css'

/** Placeholders in the shape of the cards. */
export function LoadingCards() {
  return (
    <div className={list.cards} aria-hidden="true">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index}>
          <div className={styles.card}>
            <span className={styles.rank}>
              <Skeleton width="2.25rem" height="2.25rem" radius="50%" />
            </span>
            <span className={styles.logo}>
              <Skeleton width="100%" height="100%" radius="22%" />
            </span>
            <div className={styles.body}>
              <div className={styles.head}>
                <Skeleton width="55%" height="1.25rem" />
              </div>
              <div className={styles.facts}>
                <Skeleton width="35%" height="0.875rem" />
              </div>
              <div className={styles.description}>
                <Skeleton width="95%" height="0.875rem" />
                <br />
                <Skeleton width="70%" height="0.875rem" />
              </div>
            </div>
            <div className={styles.votes}>
              <Skeleton width="4.5rem" height="1.75rem" />
            </div>
            <div className={styles.action}>
              <Skeleton width="100%" height="2.5rem" radius="0.75rem" />
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
