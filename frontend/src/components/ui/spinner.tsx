import { useTranslation } from '@/lib/i18n/i18n'
import { VisuallyHidden } from './visually-hidden'
import styles from './spinner.module.css'

/** A placeholder for a whole page. */
export function Spinner() {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.spinner} role="status">
      <span className={styles.mark} aria-hidden="true" />
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
    </div>
  )
}
