import { useTranslation } from '@/lib/i18n/i18n'
import { Icon } from '@/components/ui/icon'
import { useOnline } from '@/lib/browser/online'
import styles from './offline-notice.module.css'

/** Says when the connection is lost. */
export function OfflineNotice() {
  const { t } = useTranslation('shell')
  const online = useOnline()
  return (
    <div role="status" className={styles.place}>
      {!online && (
        <p className={styles.notice}>
          <Icon name="warning" size={18} />
          {t('offline')}
        </p>
      )}
    </div>
  )
}
