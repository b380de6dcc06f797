import { Skeleton } from '@/components/ui/skeleton'
import styles from './loading-favorites.module.css'

/** Placeholders for cards, at most a screen of them. */
export function LoadingFavorites({ count, label }: { count: number; label: string }) {
  return (
    <div className={styles.cards} role="status" aria-label={label}>
      {Array.from({ length: Math.min(count, 6) }, (_, card) => (
        <Skeleton key={card} height="14rem" radius="var(--radius-lg)" />
      ))}
    </div>
  )
}
