import { useSyncExternalStore } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import styles from './offline-notice.module.css'

/** Notices when the connection goes. */
export function OfflineNotice() {
  const { t } = useTranslation('shell')
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className={styles.notice}>
          <Icon name="warning" size={18} />
          {t('offline')}
        </p>
      )}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
