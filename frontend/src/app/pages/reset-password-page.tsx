import { useTranslation } from '@/lib/i18n'
import { ResetPasswordPage as ResetPassword } from '@/features/auth/reset-password-page'
import { useDocumentHead } from '@/lib/use-document-head'
import styles from './account-page.module.css'

export function ResetPasswordPage() {
  const { t } = useTranslation('seo')
  useDocumentHead({ title: t('resetPassword.title'), description: t('resetPassword.description') })
  return (
    <div className={styles.page}>
      <ResetPassword />
    </div>
  )
}
