import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import styles from './page.module.css'

/** Replaces a page that threw while it was drawn. */
export function PageCrash() {
  const { t } = useTranslation('shell')
  return (
    <div className={styles.wide}>
      <StateMessage
        announced
        heading="h1"
        drawing="failed"
        title={t('crash.title')}
        actions={
          <Button variant="primary" icon="refresh" onClick={() => location.reload()}>
            {t('crash.reload')}
          </Button>
        }
      >
        {t('crash.text')}
      </StateMessage>
    </div>
  )
}
