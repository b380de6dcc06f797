import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { closeAuthDialog } from '@/lib/auth-dialog'
import styles from './confirm-notice.module.css'

/** Tells where to look for the e-mail that completes a sign-up. */
export function ConfirmNotice({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.notice}>
      <span className={styles.mark}>
        <Icon name="mail" size={32} />
      </span>
      <p>{t('confirm.text', { email })}</p>
      <Button look="primary" size="large" wide onClick={closeAuthDialog}>
        {t('confirm.submit')}
      </Button>
    </div>
  )
}
