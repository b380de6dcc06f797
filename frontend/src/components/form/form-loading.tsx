import { Skeleton } from '@/components/ui/skeleton'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './form-loading.module.css'

/** A placeholder for a form: `fields` fields with a line of help each, and the button. */
export function FormLoading({ fields }: { fields: number }) {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.form} role="status" aria-label={t('loading')}>
      {Array.from({ length: fields }, (_, field) => (
        <div key={field} className={styles.field}>
          <Skeleton width="8rem" height="1.25rem" />
          <Skeleton height="var(--control-lg)" radius="var(--radius-md)" />
          <Skeleton width="60%" height="1.25rem" />
        </div>
      ))}
      <Skeleton width="10rem" height="var(--control-lg)" radius="var(--radius-md)" />
    </div>
  )
}
