import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { closeAuthDialog } from '@/lib/auth-dialog'
import { resendConfirmationMutation } from '../api/resend-confirmation'
import styles from './confirm-notice.module.css'

/** Tells where to look for the e-mail that completes a sign-up, and sends another on request. */
export function ConfirmNotice({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  const resend = useMutation(resendConfirmationMutation())
  return (
    <div className={styles.notice}>
      <span className={styles.mark}>
        <Icon name="mail" size={32} />
      </span>
      <p>{t('confirm.text', { email })}</p>
      <Button look="primary" size="large" wide data-first-focus onClick={closeAuthDialog}>
        {t('confirm.submit')}
      </Button>
      <Button look="quiet" busy={resend.isPending} onClick={() => resend.mutate(email)}>
        {t('confirm.resend')}
      </Button>
    </div>
  )
}
