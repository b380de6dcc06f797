import { Skeleton } from '@/components/ui/skeleton'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import styles from './page-skeleton.module.css'

/** A placeholder in the shape of a server's page. */
export function PageSkeleton({ label }: { label: string }) {
  return (
    <div className={styles.page} role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      <Skeleton width="9rem" />
      <div className={styles.identity}>
        <Skeleton width="6rem" height="6rem" radius="var(--radius-logo)" />
        <div className={styles.words}>
          <Skeleton width="min(24rem, 80%)" height="2.5rem" />
          <Skeleton width="min(18rem, 60%)" />
        </div>
      </div>
      <div className={styles.columns}>
        <div className={styles.side}>
          <Skeleton height="14rem" radius="var(--radius-lg)" />
          <Skeleton height="9rem" radius="var(--radius-lg)" />
        </div>
        <div className={styles.main}>
          <Skeleton width="7rem" height="1.5rem" />
          <Skeleton height="9rem" radius="var(--radius-lg)" />
          <Skeleton width="7rem" height="1.5rem" />
          <Skeleton height="14rem" radius="var(--radius-lg)" />
        </div>
      </div>
    </div>
  )
}
