import { Skeleton } from '@/components/ui/skeleton'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './access-loading.module.css'

/** Placeholders for a heading and its panels, until the session is known. */
export function AccessLoading() {
  const { t } = useTranslation('access')
  return (
    <div className={styles.loading} role="status" aria-label={t('loading')}>
      <div className={styles.head}>
        <Skeleton width="4.5rem" height="4.5rem" radius="var(--radius-lg)" />
        <div className={styles.lines}>
          <Skeleton width="12rem" height="2rem" />
          <Skeleton width="16rem" height="1rem" />
        </div>
      </div>
      <Skeleton height="2.75rem" radius="var(--radius-md)" />
      <Skeleton height="14rem" radius="var(--radius-lg)" />
    </div>
  )
}
